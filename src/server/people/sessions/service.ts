export { deviceName } from './device-name.ts';
export {
  confirmSession,
  countSessions,
  endOneSession,
  endOtherSessions,
  endSession,
  endSessionsOf,
  listSessions,
  removeExpiredSessions,
  resolveSession,
  restartSession,
  sessionBegan,
  startSession,
} from './sessions.ts';
export { forgetSignInsOf, listSignIns, removeOldSignIns, signIn } from './sign-ins.ts';
