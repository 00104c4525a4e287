import { connectorVariables } from '@talpa/contracts/connector';

/** Systems with instructions of their own; the first is the default. */
export const linuxSystems = ['debian', 'rpm', 'binary'] as const;
export const containerSystems = ['docker', 'compose'] as const;
export type System = (typeof linuxSystems | typeof containerSystems)[number] | 'windows';
export const isContainer = (system: System) => containerSystems.some((one) => one === system);

/** Where the connector finds an edge of ours; Cloudflare's own it finds by itself. */
export interface EdgeAddress {
  /** `host:port` */
  readonly address: string;
  /** Where its certificate authority is fetched from. */
  readonly authorityUrl: string;
}

export interface Installation {
  readonly system: System;
  readonly token: string;
  /** Names the service where another connector runs on the machine already: letters, digits, hyphens. */
  readonly second: string | null;
  /** A connector of this proxy was installed on the machine before; its service is removed first. */
  readonly replaces: boolean;
  readonly edge: EdgeAddress | null;
}

/** One step: its title's key, and its commands, run by the administrator, with the token filled in. */
export interface InstallStep {
  readonly title: `install.step.${'install' | 'authority' | 'connection' | 'remove' | 'service' | 'run'}`;
  readonly command: string;
}

/**
 * Connects a machine by the panel's script. No program gets the key as an argument; where there is no sudo one is root already, and a
 * fresh Debian has wget alone.
 * @param script its address
 */
export const enrolCommand = (script: string, key: string, isWindows: boolean): string =>
  isWindows
    ? `[Net.ServicePointManager]::SecurityProtocol = 'Tls12'; irm ${script} | iex; Install-Talpa ${key}`
    : `{ curl -fsSL ${script} || wget -qO- ${script}; echo 'talpa_enrol ${key}'; } | $(command -v sudo) sh`;

/** What a service, or a container, of a connector is called. */
export const serviceName = (second: string | null) => (second ? `cloudflared-${second}` : 'cloudflared');

/** Removes the service, or the container, of a connector; run by the administrator. It may be gone already. */
export function removeCommand(system: System, second: string | null): string {
  const name = serviceName(second);
  if (system === 'windows')
    return second ? `Stop-Service ${name}; sc.exe delete ${name}` : 'cloudflared.exe service uninstall';
  if (isContainer(system)) return `docker rm -f ${name}`;
  return second ? `systemctl disable --now ${name}` : 'cloudflared service uninstall';
}

/** One shell stops at the first failure; PowerShell does not. */
function removeSteps({ system, second, replaces }: Omit<Installation, 'token'>): InstallStep[] {
  if (!replaces) return [];
  const command = removeCommand(system, second);
  return [{ title: 'install.step.remove', command: system === 'windows' ? command : `${command} || true` }];
}

/** What to run on the server, in order. Sources: Cloudflare's documentation of cloudflared, late 2026. */
export function installSteps(installation: Installation): InstallStep[] {
  const { system } = installation;
  if (system === 'windows') return windowsSteps(installation);
  if (system === 'docker' || system === 'compose') return containerSteps(installation);
  return [{ title: 'install.step.install', command: installCommand[system] }, ...serviceSteps(installation)];
}

const keyring = '/usr/share/keyrings/cloudflare-main.gpg';
const installCommand = {
  debian: [
    'export DEBIAN_FRONTEND=noninteractive',
    'mkdir -p --mode=0755 /usr/share/keyrings',
    `curl -fsSL https://pkg.cloudflare.com/cloudflare-main.gpg -o ${keyring}`,
    `echo 'deb [signed-by=${keyring}] https://pkg.cloudflare.com/cloudflared any main' > /etc/apt/sources.list.d/cloudflared.list`,
    'apt-get update',
    'apt-get install -y cloudflared',
  ].join('\n'),
  rpm: [
    'curl -fsSL https://pkg.cloudflare.com/cloudflared-ascii.repo -o /etc/yum.repos.d/cloudflared.repo',
    'yum install -y cloudflared',
  ].join('\n'),
  binary: [
    'arch=$(uname -m | sed "s/x86_64/amd64/; s/aarch64/arm64/; s/armv.*/arm/; s/i.86/386/")',
    'curl -fsSL -o /tmp/cloudflared "https://github.com/cloudflare/cloudflared/releases/latest/download/cloudflared-linux-$arch"',
    'install -m 755 /tmp/cloudflared /usr/bin/cloudflared',
  ].join('\n'),
} as const;

const authorityFile = '/etc/cloudflared/edge-ca.pem';

const heredoc = (file: string, lines: readonly string[]) =>
  [`cat > ${file} <<'EOF'`, ...lines, 'EOF'].join('\n');

function authorityStep(edge: EdgeAddress): InstallStep {
  return {
    title: 'install.step.authority',
    command: ['mkdir -p /etc/cloudflared', `curl -fsSL ${edge.authorityUrl} -o ${authorityFile}`].join('\n'),
  };
}

/** As a systemd service: cloudflared's own, or, beside it, one more under a name of its own. */
function serviceSteps(installation: Installation): InstallStep[] {
  const { token, second, edge } = installation;
  const settings = connectorVariables(edge?.address ?? null, authorityFile).map(
    (line) => `Environment=${line}`,
  );
  const authority = edge ? [authorityStep(edge)] : [];
  if (second)
    return [
      ...authority,
      ...removeSteps(installation),
      { title: 'install.step.service', command: secondService(second, token, settings) },
    ];
  const dropIn = '/etc/systemd/system/cloudflared.service.d';
  const connectionStep: InstallStep = {
    title: 'install.step.connection',
    command: [`mkdir -p ${dropIn}`, heredoc(`${dropIn}/edge.conf`, ['[Service]', ...settings])].join('\n'),
  };
  return [
    ...authority,
    connectionStep,
    ...removeSteps(installation),
    { title: 'install.step.service', command: `cloudflared service install ${token}` },
  ];
}

/** cloudflared installs one service only; the unit is what it would write. */
function secondService(second: string, token: string, settings: readonly string[]): string {
  const tokenFile = `/etc/cloudflared/${second}.token`;
  const name = serviceName(second);
  return [
    'mkdir -p /etc/cloudflared',
    `install -m 600 /dev/null ${tokenFile}`,
    `echo '${token}' > ${tokenFile}`,
    heredoc(`/etc/systemd/system/${name}.service`, [
      '[Unit]',
      `Description=cloudflared ${second}`,
      'After=network-online.target',
      'Wants=network-online.target',
      '',
      '[Service]',
      'Type=notify',
      'TimeoutStartSec=15',
      ...settings,
      `ExecStart=/usr/bin/cloudflared --no-autoupdate tunnel run --token-file ${tokenFile}`,
      'Restart=on-failure',
      'RestartSec=5s',
      '',
      '[Install]',
      'WantedBy=multi-user.target',
    ]),
    'systemctl daemon-reload',
    `systemctl enable ${name}`,
    `systemctl restart ${name}`,
  ].join('\n');
}

const image = 'cloudflare/cloudflared:latest';
const imageCommand = 'tunnel --no-autoupdate run';

/** What the image runs its program as: with the token in a file of theirs, neither Docker nor the list of processes shows it. */
const imageUser = 65_532;
const secretFile = (file: string, token: string) => [
  `install -m 400 -o ${imageUser} -g ${imageUser} /dev/null ${file}`,
  `echo '${token}' > ${file}`,
];

/** On the host's network, so that 127.0.0.1 is the server itself. */
function containerSteps(installation: Installation): InstallStep[] {
  const { system, token, second, edge } = installation;
  const name = serviceName(second);
  const variables = connectorVariables(edge?.address ?? null, '/edge-ca.pem');
  const volumes = edge ? [`${authorityFile}:/edge-ca.pem:ro`] : [];
  const parts = { name, token, variables, volumes };
  return [
    ...(edge ? [authorityStep(edge)] : []),
    ...removeSteps(installation),
    { title: 'install.step.run', command: system === 'docker' ? dockerRun(parts) : compose(parts) },
  ];
}

interface Container {
  readonly name: string;
  readonly token: string;
  readonly variables: readonly string[];
  readonly volumes: readonly string[];
}

function dockerRun({ name, token, variables, volumes }: Container): string {
  const file = `/etc/cloudflared/${name}.token`;
  const options = [
    ...[`--name ${name}`, '--restart unless-stopped', '--network host'],
    ...[`${file}:/token:ro`, ...volumes].map((volume) => `-v ${volume}`),
    ...['TUNNEL_TOKEN_FILE=/token', ...variables].map((variable) => `-e ${variable}`),
  ];
  const run = ['docker run -d', ...options.map((option) => `  ${option}`), `  ${image} ${imageCommand}`];
  return ['mkdir -p /etc/cloudflared', ...secretFile(file, token), run.join(' \\\n')].join('\n');
}

/** Its file may be taken over into a Compose file that is there. */
function compose({ name, token, variables, volumes }: Container): string {
  const folder = `/opt/${name}`;
  const file = `${folder}/compose.yaml`;
  const secret = `${name}-token`;
  const list = (key: string, items: readonly string[]) =>
    items.length > 0 ? [`    ${key}:`, ...items.map((item) => `      - ${item}`)] : [];
  const lines = [
    ...['services:', `  ${name}:`, `    container_name: ${name}`, `    image: ${image}`],
    ...[`    command: ${imageCommand}`, '    network_mode: host', '    restart: unless-stopped'],
    ...list('environment', [`TUNNEL_TOKEN_FILE=/run/secrets/${secret}`, ...variables]),
    ...list('secrets', [secret]),
    ...list('volumes', volumes),
    ...['secrets:', `  ${secret}:`, '    file: ./token'],
  ];
  return [
    ...[`install -d -m 700 ${folder}`, ...secretFile(`${folder}/token`, token), heredoc(file, lines)],
    // Another token alone would change nothing that Compose looks at.
    `docker compose -f ${file} up -d --force-recreate`,
  ].join('\n');
}

const packageUrl =
  'https://github.com/cloudflare/cloudflared/releases/latest/download/cloudflared-windows-amd64.msi';
/** PowerShell 5 offers servers no TLS 1.2 by itself, and its progress bar takes longer than the download. */
const withoutWinget = [
  "[Net.ServicePointManager]::SecurityProtocol = 'Tls12'",
  "$ProgressPreference = 'SilentlyContinue'",
  '$package = Join-Path $env:TEMP cloudflared.msi',
  `Invoke-WebRequest -UseBasicParsing ${packageUrl} -OutFile $package`,
  "Start-Process msiexec.exe -Wait -ArgumentList '/i', ('\"{0}\"' -f $package), '/qn'",
] as const;

/** In a PowerShell with administrator rights. The service's settings lie beside it in the registry. */
function windowsSteps(installation: Installation): InstallStep[] {
  const { token, second, edge } = installation;
  const folder = 'C:\\ProgramData\\cloudflared';
  const authority = `${folder}\\edge-ca.pem`;
  const service = second ? serviceName(second) : 'Cloudflared';
  const makeFolder = `New-Item -ItemType Directory -Force ${folder} | Out-Null`;
  const steps: InstallStep[] = [
    {
      title: 'install.step.install',
      command: [
        '$winget = Get-Command winget -ErrorAction SilentlyContinue',
        'if ($winget) { winget install --id Cloudflare.cloudflared --accept-source-agreements --accept-package-agreements }',
        '# Windows Server',
        `if (-not $winget) { ${withoutWinget.join('; ')} }`,
        // What has just been added to the path this PowerShell does not know yet.
        "$env:Path = [Environment]::GetEnvironmentVariable('Path', 'Machine') + ';' + [Environment]::GetEnvironmentVariable('Path', 'User')",
      ].join('\n'),
    },
  ];
  if (edge)
    steps.push({
      title: 'install.step.authority',
      command: [
        makeFolder,
        `Invoke-WebRequest -UseBasicParsing ${edge.authorityUrl} -OutFile ${authority}`,
      ].join('\n'),
    });
  const create = second
    ? [...(edge ? [] : [makeFolder]), ...secondWindowsService(service, `${folder}\\${second}.token`, token)]
    : [`cloudflared.exe service install ${token}`];
  const variables = connectorVariables(edge?.address ?? null, authority).map((line) => `'${line}'`);
  const settings = [
    `$key = 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\${service}'`,
    `New-ItemProperty -Force -Path $key -Name Environment -PropertyType MultiString -Value ${variables.join(', ')} | Out-Null`,
    `Restart-Service ${service}`,
  ];
  steps.push(...removeSteps(installation), {
    title: 'install.step.service',
    command: [...create, ...settings].join('\n'),
  });
  return steps;
}

/** The token is in a file for the system and administrators, named by their ids: their names are translated. */
function secondWindowsService(service: string, tokenFile: string, token: string): string[] {
  return [
    `Set-Content -NoNewline -Path ${tokenFile} -Value '${token}'`,
    `icacls ${tokenFile} /inheritance:r /grant '*S-1-5-18:F' '*S-1-5-32-544:F' | Out-Null`,
    `New-Service -Name ${service} -StartupType Automatic -BinaryPathName ('"{0}" tunnel run --token-file ${tokenFile}' -f (Get-Command cloudflared).Source) | Out-Null`,
  ];
}
