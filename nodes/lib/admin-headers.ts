/** What the dialogs and the admin routes agree on. */

/** The header without which no admin route acts: a form of another site cannot send it (see admin-route.ts). */
export const requestHeader = 'X-CEMM-Request';

/** What a password field of the editor says that nobody touched: the key itself never leaves the server. */
export const untouched = '__PWRD__';
