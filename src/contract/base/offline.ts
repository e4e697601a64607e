/** The address of the shell that browsers keep, to open pages without the network. */
export const OFFLINE_SHELL = '/offline-shell';

/** The name of the element that marks it. */
export const OFFLINE_META = 'offline';
