import { connectorPath } from '@talpa/contracts';

/**
 * An egg for Pterodactyl and Pelican (PTDL_v2), which runs the connector as a server of its own. Containers share no network with each
 * other, so the panel behind it is named by its allocation.
 * @param panel the panel's address
 */
export function connectorEgg(panel: string): object {
  const variable = (name: string, env: string, description: string, rules: string, value = '') => ({
    ...{
      name,
      description,
      env_variable: env,
      default_value: value,
      user_viewable: true,
      user_editable: true,
    },
    ...{ rules, field_type: 'text' },
  });
  return {
    _comment: 'Import it in the administration under “Nests” or “Eggs”.',
    meta: { version: 'PTDL_v2', update_url: `${panel}${connectorPath}/egg.json` },
    exported_at: '2026-11-28T00:00:00+00:00',
    name: 'Talpa connector',
    author: 'talpa@example.com',
    description: `Makes an admin panel public through ${panel}, without an open port.`,
    features: null,
    docker_images: { Debian: 'ghcr.io/parkervcp/yolks:debian' },
    file_denylist: [],
    startup: 'sh ./start',
    config: {
      files: '{}',
      startup: JSON.stringify({ done: 'Registered tunnel connection' }),
      logs: '{}',
      stop: '^C',
    },
    scripts: {
      installation: {
        container: 'ghcr.io/parkervcp/installers:debian',
        entrypoint: 'sh',
        script: [
          '{',
          `  curl -fsSL ${panel}${connectorPath}/en.sh || exit 1`,
          // By the shell itself: neither arguments nor another process have the key.
          String.raw`  printf 'talpa_egg "%s" "%s" "%s"\n' "$TALPA_KEY" "$TALPA_ADDRESS" "$TALPA_PORT"`,
          '} | sh',
        ].join('\n'),
      },
    },
    variables: [
      variable(
        'Key',
        'TALPA_KEY',
        'From the panel: “Connect a server”.',
        String.raw`required|regex:/^talpa_ek_[\w-]+$/`,
      ),
      variable(
        'Address',
        'TALPA_ADDRESS',
        'The IP address of the allocation that the admin panel listens on.',
        String.raw`required|regex:/^[\w.:-]+$/`,
      ),
      variable(
        'Port',
        'TALPA_PORT',
        'The port of that allocation.',
        'required|integer|between:1,65535',
        '40120',
      ),
      variable(
        'Name',
        'TALPA_NAME',
        'What the proxy is called.',
        String.raw`nullable|regex:/^[\w. -]{1,60}$/`,
      ),
    ],
  };
}
