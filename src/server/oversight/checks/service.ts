export { runChecks } from './checks.ts';
export { putRun } from './checks-store.ts';
export { makeCodeForms } from './code-forms.ts';
export { health, recordRun, registerJobs } from './job-runs.ts';
