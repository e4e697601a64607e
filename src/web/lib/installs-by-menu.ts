/** Whether this is a browser on iOS, which installs by a menu alone. It says there whether the application is installed. */
export const installsByMenu = () => 'standalone' in navigator && navigator.standalone === false;
