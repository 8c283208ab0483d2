/** Constants shared by dialogs and admin routes. Imports nothing, because Node-RED loads it at its start. */

/** Required by every admin route: a form of another site cannot send it (admin-routes.ts). */
export const requestHeader = 'X-CEMM-Request';

/** Content of an unchanged password field in the editor: the key itself never leaves the server. */
export const untouched = '__PWRD__';
