/** One step of an installation: its title's key, and its command with the token filled in. */
export interface InstallStep {
  readonly title: 'install.step.linux' | 'install.step.windows' | 'install.step.service';
  readonly command: (token: string) => string;
}

const keyring = '/usr/share/keyrings/cloudflare-main.gpg';

/** Debian and Ubuntu, from the connector's own package source. */
export const linuxSteps: readonly InstallStep[] = [
  {
    title: 'install.step.linux',
    command: () =>
      [
        'sudo mkdir -p --mode=0755 /usr/share/keyrings',
        `curl -fsSL https://pkg.cloudflare.com/cloudflare-main.gpg | sudo tee ${keyring} >/dev/null`,
        `echo 'deb [signed-by=${keyring}] https://pkg.cloudflare.com/cloudflared any main' | sudo tee /etc/apt/sources.list.d/cloudflared.list`,
        'sudo apt-get update && sudo apt-get install cloudflared',
      ].join('\n'),
  },
  { title: 'install.step.service', command: (token) => `sudo cloudflared service install ${token}` },
];

/** Windows, in a PowerShell with administrator rights. */
export const windowsSteps: readonly InstallStep[] = [
  { title: 'install.step.windows', command: () => 'winget install --id Cloudflare.cloudflared' },
  { title: 'install.step.service', command: (token) => `cloudflared.exe service install ${token}` },
];
