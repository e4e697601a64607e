/** No circles between folders. Tests may look anywhere, so they are left out here. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      comment: 'Folders that need each other are one folder, or one of them holds something of the other.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...options,
    metrics: true,
    exclude: { path: ['\\.test\\.tsx?$', '/testing/', '(^|/)(dist|coverage)/'] },
  },
};
