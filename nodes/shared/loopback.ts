/** A monitor simulated on this machine is reached only where the user says so: elsewhere loopback is Node-RED itself. */
export function loopbackAllowed(): boolean {
  return process.env['CEMM_ALLOW_LOOPBACK'] === 'true';
}
