import type { GamePort, GamePorts } from '@talpa/contracts';
import type { Screen, Stage } from '@talpa/test-kit/panel/screen';

const path: Screen['path'] = ({ proxyIds }) => `/tunnel-configuration/${proxyIds.offline}?tab=domains`;
const address = '2001:db8:4a3f:9c01:7d2e:31ff:fe08:c5d2';
const host = 'vice-city-streetrace-und-drift-community-deutschland.tunnel.example.net';
/** What is entered into other programs, in every language. */
export const serverWords: readonly string[] = [
  ...[`0 5 25001 ${host}.`, 'proxy-protocol: true', 'haproxy-protocol = true'],
];
const portOf = (id: number, more: Partial<GamePort>): GamePort => ({
  ...{ id, publicPort: 25_000 + id, targetHost: '127.0.0.1', targetPort: 25_565, preset: 'minecraft' },
  ...{ rules: { kind: 'open' }, proxyProtocol: false, createdAt: '2026-11-20T17:42:00.000Z', state: 'open' },
  traffic: {
    ...{ bytesIn: 0, bytesOut: 0, bytesInDay: 0, bytesOutDay: 0, connections: 0, refused: 0, open: 0 },
    lastConnectionAt: null,
  },
  ...more,
});
const ports: readonly GamePort[] = [
  portOf(1, {
    proxyProtocol: true,
    traffic: {
      ...{ bytesIn: 9e9, bytesOut: 8e10, bytesInDay: 123_456_789, bytesOutDay: 2_345_678_901 },
      ...{ connections: 1_204, refused: 31, open: 17, lastConnectionAt: '2026-11-21T08:15:00.000Z' },
    },
  }),
  portOf(2, {
    ...{ preset: 'rcon', targetHost: address, targetPort: 25_575 },
    rules: {
      ...{ kind: 'rules', otherwise: 'deny' },
      rules: [{ action: 'allow', match: { by: 'address', network: address }, expiresAt: null }],
    },
  }),
  portOf(3, { preset: 'other', targetPort: 27_015, state: 'no_connector' }),
];
const all: GamePorts = { ports: [...ports], availability: 'available', limit: 10, used: 3, host, address };

/** The calls get their responses here: no visitor of a test has connected. */
const withPorts = ({ page }: Stage, changes: Partial<GamePorts> = {}) =>
  page.route('**/api/tunnel-configs/*/ports', (route) => route.fulfill({ json: { ...all, ...changes } }));
const withAll = (stage: Stage) => withPorts(stage);
async function scrollTo(stage: Stage) {
  const button = stage.button(stage.words.gamePorts('add'));
  await button.waitFor();
  await button.scrollIntoViewIfNeeded();
}

type Dialog = 'add' | `${'guide' | 'edit' | 'remove'}.of`;
async function open(stage: Stage, what: Dialog) {
  const { gamePorts: words } = stage.words;
  await stage.press(what === 'add' ? words(what) : words(what, { address: `${host}:25001` }));
  await stage.dialog.waitFor();
}
const dialog = (name: string, what: Dialog): Screen => ({
  ...{ name, as: 'host', path, isDialog: true, prepare: withAll },
  act: (stage) => open(stage, what),
});

/** The game ports of a proxy. */
export const gamePortScreens: readonly Screen[] = [
  { name: 'game-ports', as: 'host', path, prepare: withAll, act: scrollTo },
  {
    ...{ name: 'game-ports-none', as: 'host', path },
    prepare: (stage) => withPorts(stage, { ports: [], used: 0, limit: 0 }),
    act: async (stage) => {
      await stage.page.getByText(stage.words.gamePorts('empty.off')).waitFor();
    },
  },
  {
    ...{ name: 'game-port-add', as: 'host', path, isDialog: true, prepare: withAll },
    act: async (stage) => {
      await open(stage, 'add');
      await stage.dialog.getByText(stage.words.gamePorts('preset.rcon'), { exact: true }).click();
      await stage.dialog.getByText(stage.words.gamePorts('form.rcon'), { exact: true }).waitFor();
    },
  },
  dialog('game-port-guide', 'guide.of'),
  dialog('game-port-edit', 'edit.of'),
];
