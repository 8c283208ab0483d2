/** What dialogs and admin routes agree on. Imports nothing, because Node-RED loads it at its start. */

/** The header that every admin route requires: a form of another site cannot send it (admin-routes.ts). */
export const requestHeader = 'X-CEMM-Request';

/** What a password field of the editor holds that nobody touched: the key itself never leaves the server. */
export const untouched = '__PWRD__';
