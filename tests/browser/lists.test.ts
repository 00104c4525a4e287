import { randomUUID } from 'node:crypto';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { useBrowser } from '@talpa/test-kit/browser';
import { type Client, newUser } from '@talpa/test-kit/client';
import { inRowMenu } from '@talpa/test-kit/panel/forms';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useTalpa } from '@talpa/test-kit/system';
import { until } from '@talpa/test-kit/wait';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

const system = useTalpa();
const browser = useBrowser();
let sql: Sql;
beforeAll(() => {
  sql = openDatabase(system.talpa.stores.adminUrl, 2);
});
afterAll(() => sql?.end());

/** Proxies that were set up long ago: settled, so that nobody works on them. */
const settled = (userId: number, count: number, name = 'srv') => sql`
  insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status,
    applied_generation)
  select gen_random_uuid(), ${userId}, ${name} || n, '127.0.0.1', 40120,
    ${randomUUID()} || n || '.example.com', 8081, case when n % 10 = 0 then 'error' else 'inactive' end, 1
  from generate_series(1, ${count}) n`;

async function open(client: Client, width = 1280) {
  const opened = await browser.open(system.url, {
    viewport: { width, height: 844 },
  });
  await carrySession(opened.page, client);
  return opened;
}

const rowKeys = (page: Page) =>
  page
    .locator('[data-row-key]')
    .evaluateAll((rows) =>
      rows.map((row) => (row as unknown as { dataset: Record<string, string> }).dataset.rowKey),
    );
const chooseIn = async (page: Page, filter: string, choice: string) => {
  await page.getByLabel(filter, { exact: true }).click();
  await page.locator('.ant-select-dropdown').getByTitle(choice, { exact: true }).click();
};
const settledList = (page: Page) => page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });

/** Every page of the user's list as the API returns them: its cursor, and its rows. */
async function pagesOf(client: Client) {
  const pages: { readonly cursor: string | null; readonly keys: readonly string[] }[] = [];
  for (let cursor: string | null = null; ; ) {
    const from = cursor === null ? '' : `&cursor=${cursor}`;
    const { body, headers } = await client.send('GET', `/api/tunnel-configs?limit=25${from}`);
    pages.push({ cursor, keys: (body as { id: number }[]).map(({ id }) => String(id)) });
    const next: string | undefined = headers.get('link')?.match(/[?&]cursor=([^&>]+)/)?.[1];
    if (!next) return pages;
    cursor = next;
  }
}

it('1 200 rows paged through show each exactly once, and the way back is the same', async () => {
  const { client, user } = await newUser(system.url);
  await settled(user.id, 1_200);
  const pages = await pagesOf(client);
  expect(new Set(pages.flatMap(({ keys }) => keys)).size).toBe(1_200);
  const { page, complaints } = await open(client);
  const next = page.getByRole('button', { name: 'Weiter' });
  const showsPage = async (number: number) => {
    const from = (number - 1) * 25 + 1;
    await page.getByText(`${from.toLocaleString('de-DE')}–`).waitFor();
    await settledList(page);
    expect(await rowKeys(page)).toEqual(pages[number - 1]?.keys);
    expect(await next.isDisabled()).toBe(number === 48);
  };
  await page.goto('/tunnel-configuration');
  await page.getByText('1–25 von mehr als 1.000').waitFor();
  await showsPage(1);
  for (const number of [2, 3]) {
    await next.click();
    await showsPage(number);
    // For the keyboard the list begins anew.
    await expect.poll(() => page.evaluate(`document.activeElement.matches('[data-list]')`)).toBe(true);
  }
  // A reload keeps the way back: with it the page is the same as after 43 more pages.
  const trail = JSON.stringify(pages.slice(0, 45).map(({ cursor }) => cursor && decodeURIComponent(cursor)));
  await page.evaluate(`history.replaceState({ ...history.state, usr: { trail: ${trail} } }, '',
    '?cursor=${pages[45]?.cursor}')`);
  await page.reload();
  await showsPage(46);
  for (const number of [47, 48]) {
    await next.click();
    await showsPage(number);
  }
  await page.goBack();
  await showsPage(47);
  for (const number of [46, 45, 44]) {
    await page.getByRole('button', { name: 'Zurück' }).click();
    await showsPage(number);
  }
  await page.reload();
  await page.getByText('1.076–1.100 von').waitFor();
  expect(complaints).toEqual([]);
});

it('a server draws one page of its 200 proxies, which is turned, sorted and searched like the list', async () => {
  const { client, user } = await newUser(system.url);
  await settled(user.id, 200);
  await sql`
    update proxies.proxies set (server_id, server_uuid) = (
      select id, uuid from proxies.servers where user_id = ${user.id} order by id limit 1)
    where user_id = ${user.id}`;
  const [first] = await client.call('GET /api/tunnel-configs', { limit: 1 });
  const { page, complaints } = await open(client);
  await page.goto(`/servers/${first?.serverId}`);
  await page.getByText('1–25 von 200').waitFor();
  expect(await rowKeys(page)).toHaveLength(25);
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.getByText('26–50 von 200').waitFor();
  await page.getByRole('searchbox').fill('SRV19');
  await page.getByText('Treffer: 11').waitFor();
  await page.getByRole('columnheader', { name: 'Server-Name' }).getByRole('button').press('Enter');
  await page.waitForURL('**/*q=SRV19&sort=serverName');
  await expect.poll(() => page.locator('tr[data-row-key]').first().textContent()).toContain('srv19');
  await page.reload();
  await page.getByText('Treffer: 11').waitFor();
  const menu = page.getByRole('navigation', { name: 'Hauptmenü' });
  expect(await menu.locator('[aria-current]').getAttribute('href')).toBe('/tunnel-configuration');
  expect(complaints).toEqual([]);
});

it('search, filter and order stand in the address: deep links, back and forward lead to them', async () => {
  const { client, user } = await newUser(system.url);
  await settled(user.id, 30);
  const { page } = await open(client);
  await page.goto('/tunnel-configuration?status=nonsense&sort=x&q=');
  await page.getByText('Einträge: 30').waitFor();
  await page.getByRole('searchbox').fill('  srv2 ');
  await page.getByText('Treffer: 11').waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('?q=srv2');
  await page.getByRole('columnheader', { name: 'Server-Name' }).getByRole('button').press('Enter');
  await page.waitForURL('**/*sort=serverName');
  await page.locator('th[aria-sort="ascending"]').waitFor();
  await page.getByRole('button', { name: /Nach .* sortieren|Server-Name/ }).press('Enter');
  await page.waitForURL('**/*sort=-serverName');
  await page.locator('th[aria-sort="descending"]').waitFor();
  await until('the last name to be first', async () =>
    ((await page.locator('tr[data-row-key]').first().textContent()) ?? '').includes('srv29'),
  );
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.getByText('Einträge: 30').waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  await page.goForward();
  await page.getByText('Treffer: 11').waitFor();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('srv2');

  await page.goto('/tunnel-configuration?status=error&q=srv3');
  await page.getByText('Treffer: 1', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('gibt es nicht');
  await page.getByText('Keine Treffer').waitFor();
  await page.getByRole('button', { name: 'Suche und Filter zurücksetzen' }).click();
  await page.getByText('Einträge: 30').waitFor();
  await page.goto('/tunnel-configuration?cursor=nonsense');
  await page.getByText('1–25 von 30').waitFor();
  // Whatever is chosen on a later page begins with the first one.
  for (const [choose, first] of [
    [() => page.getByRole('searchbox').fill('srv'), '1–25 von 30'],
    [() => chooseIn(page, 'Status', 'Fehler'), 'Treffer: 3'],
    [
      () => page.getByRole('columnheader', { name: 'Server-Name' }).getByRole('button').click(),
      '1–25 von 30',
    ],
  ] as const) {
    await page.goto('/tunnel-configuration');
    await page.getByText('1–25 von 30').waitFor();
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.getByText('26–30 von 30').waitFor();
    await choose();
    await page.getByText(first).first().waitFor();
    await settledList(page);
    await expect.poll(() => new URL(page.url()).searchParams.has('cursor')).toBe(false);
  }
});

it.each([1280, 390])('a few rows come without search and filters (%d px)', async (width) => {
  const { client, user } = await newUser(system.url);
  await settled(user.id, 3);
  const { page } = await open(client, width);
  await page.goto('/tunnel-configuration');
  await page.getByText('srv3').waitFor();
  await expect.poll(() => page.getByRole('searchbox').count()).toBe(0);
});

it('what was just edited stays in sight where the search hides it, and the page says so', async () => {
  const { client, user } = await newUser(system.url, 'premium');
  await settled(user.id, 30);
  const { page } = await open(client);
  await page.goto('/tunnel-configuration?q=srv30');
  await page.getByRole('button', { name: 'Bearbeiten: srv30' }).click();
  await page.getByRole('dialog').getByLabel('Server-Name').fill('Ganz anders');
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Gerade geändert: „Ganz anders“').waitFor();
  await page.getByRole('link', { name: 'Ganz anders' }).waitFor();
  await page.getByRole('button', { name: 'Ausblenden' }).click();
  await page.getByText('Keine Treffer').waitFor();
});

it.each([1280, 390])(
  'administrators delete many users by keyboard; who cannot go is named with the reason (%d px)',
  async (width) => {
    const admin = await system.admin();
    const mark = `b${randomUUID().slice(0, 8)}`;
    const users = [];
    for (let n = 0; n < 6; n += 1)
      users.push(
        await admin.call('POST /api/admin/users', { username: `${mark}-${n}`, password: 'geheim-123' }),
      );
    const { page } = await open(admin, width);
    await page.goto('/admin/users?q=admin');
    await page.getByLabel('„admin“ auswählen').waitFor();
    await expect.poll(() => page.getByLabel('„admin“ auswählen').isDisabled()).toBe(true);

    await page.goto(`/admin/users?q=${mark}`);
    await page.getByText('Treffer: 6').waitFor();
    await page.getByLabel('Alle auf dieser Seite auswählen').first().press('Space');
    await page.getByText('Ausgewählt: 6').waitFor();
    await page.getByRole('button', { name: 'Löschen …' }).press('Enter');
    const dialog = page.getByRole('dialog');
    for (const { username } of users) await dialog.getByText(username).waitFor();
    const confirm = dialog.getByRole('button', { name: 'Endgültig löschen' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    // Who comes back types the number again.
    await dialog.getByLabel(/Bestätigung 6/).fill('6');
    await expect.poll(() => confirm.isDisabled()).toBe(false);
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Löschen …' }).press('Enter');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    // One is gone before: its deletion fails, and is said to. Four are begun at a time; the others wait for a second try.
    const gone = users[2]?.id ?? 0;
    const stopped = Promise.withResolvers<void>();
    await page.route('**/api/admin/users/*', async (route) => {
      await stopped.promise;
      if (route.request().url().endsWith(`/${gone}`))
        await admin.call('DELETE /api/admin/users/:id', { id: gone }).catch(() => {});
      await route.continue();
    });
    await dialog.getByLabel(/Bestätigung 6/).fill('6');
    await dialog.getByLabel(/Bestätigung 6/).press('Enter');
    await dialog.getByRole('button', { name: 'Anhalten' }).click();
    await dialog.getByText('Laufende Löschungen werden noch abgeschlossen …').waitFor();
    stopped.resolve();
    await dialog.getByText('Angehalten, nicht mehr gelöscht: 2').waitFor();
    await dialog.getByRole('button', { name: 'Übrige erneut versuchen' }).click();
    await dialog.getByText('Gelöscht: 5', { exact: true }).waitFor();
    await dialog.getByText('Nicht gelöscht: 1').waitFor();
    await dialog.getByText(`${mark}-2`).waitFor();
    await dialog.getByText('Ressource nicht gefunden').waitFor();
    await dialog.getByRole('button', { name: 'Schließen' }).last().click();
    await page.getByText('Keine Treffer').waitFor();
    const left = await admin.call('GET /api/admin/users', { q: mark });
    expect(left).toEqual([]);
  },
);

it('an administrator deletes many proxies of one owner, chosen in the address', async () => {
  const admin = await system.admin();
  const [one, other] = [await newUser(system.url), await newUser(system.url)];
  await settled(one.user.id, 9);
  await settled(other.user.id, 2);
  const { page } = await open(admin);
  await page.goto(`/admin/tunnel?userId=${one.user.id}`);
  await page.getByText('Treffer: 9').waitFor();
  await page.getByLabel('„srv1“ auswählen').check();
  await page.getByLabel('„srv2“ auswählen').check();
  await page.getByRole('button', { name: 'Löschen …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Endgültig löschen' }).click();
  await page.getByText('Treffer: 7').waitFor();
  const names = (await one.client.call('GET /api/tunnel-configs', {})).map((row) => row.serverName);
  expect(names).not.toContain('srv1');
  expect(await other.client.call('GET /api/tunnel-configs', {})).toHaveLength(2);
});

/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(
    `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()`,
  );

it.each([1280, 390])(
  'after a deletion the focus is at the next row, else at the list (%d px)',
  async (width) => {
    const admin = await system.admin();
    const { client, user } = await newUser(system.url, 'premium');
    await settled(user.id, 12);
    const { page } = await open(client, width);
    const remove = async (on: Page, name: string) => {
      await on.getByRole('button', { name: `Löschen: ${name}`, exact: true }).press('Enter');
      await on.getByRole('dialog').getByRole('button', { name: 'Endgültig löschen' }).press('Enter');
    };
    const first = 'Bearbeiten';
    await page.goto('/tunnel-configuration');
    await remove(page, 'srv1');
    await expect.poll(() => focused(page)).toBe(`${first}: srv2`);
    await remove(page, 'srv12');
    await expect.poll(() => focused(page)).toBe(`${first}: srv11`);
    // Somebody else takes the row away from under the focus.
    await client.call('DELETE /api/tunnel-configs/:id', { id: Number((await rowKeys(page)).at(-1)) });
    await expect.poll(() => focused(page)).toBe(`${first}: srv10`);

    const { page: admins } = await open(admin, width);
    await admins.goto(`/admin/tunnel?userId=${user.id}`);
    await remove(admins, 'srv2');
    await expect.poll(() => focused(admins)).toBe(`${first}: srv3`);
    await admins.getByRole('checkbox', { name: /srv3/ }).press('Space');
    await admins.getByRole('button', { name: 'Löschen …' }).press('Enter');
    await admins.getByRole('dialog').getByRole('button', { name: 'Endgültig löschen' }).press('Enter');
    await expect.poll(() => focused(admins)).toBe(`${first}: srv4`);
    await admins.goto(`/admin/users/${user.id}`);
    await remove(admins, 'srv4');
    await expect.poll(() => focused(admins)).toBe(`${first}: srv5`);

    const mark = `f${randomUUID().slice(0, 8)}`;
    for (const n of [1, 2])
      await admin.call('POST /api/admin/users', { username: `${mark}-${n}`, password: 'geheim-123' });
    await admins.goto(`/admin/users?q=${mark}`);
    await remove(admins, `${mark}-1`);
    await expect.poll(() => focused(admins)).toBe(`Bearbeiten: ${mark}-2`);
    await remove(admins, `${mark}-2`);
    await expect.poll(() => focused(admins)).toBe('Suche und Filter zurücksetzen');
    await admins.context().close();

    const { client: beginner } = await newUser(system.url, 'premium');
    await settled((await beginner.call('GET /api/user', {})).id, 1);
    const { page: own } = await open(beginner, width);
    await own.goto('/tunnel-configuration');
    await remove(own, 'srv1');
    await expect.poll(() => focused(own)).toBe('Proxy anlegen');
  },
);

/** The first row's buttons, and how high they are; 0 where it is not fully visible. */
const seenActions = `[...document.querySelector('[data-row-key] [data-actions]').children].map((button) => {
  const { left, right, height } = button.getBoundingClientRect();
  const frame = button.closest('section').getBoundingClientRect();
  const isSeen = left >= frame.left && right <= frame.right && right <= innerWidth;
  return { name: button.ariaLabel, height: isSeen ? height : 0 };
})`;

it.each([
  [1280, 'expanded'],
  [1280, 'collapsed'],
  [768, 'expanded'],
  [768, 'collapsed'],
  [390, 'collapsed'],
])('the longest values hide no action, with and without the sidebar (%d px, %s)', async (width, sidebar) => {
  const admin = await system.admin();
  const { client, user } = await newUser(system.url, 'premium');
  await settled(user.id, 2, 'Vice City Streetrace & Drift Community Deutschland ');
  await sql`update proxies.proxies set server_ip = '2001:0db8:85a3:1234:5678:8a2e:0370:7334',
    hostname = ${'a'.repeat(40)} || id || '.tunnel.localhost' where user_id = ${user.id}`;
  const [own, any] = [(await open(client, width)).page, (await open(admin, width)).page];
  for (const page of [own, any])
    await page.addInitScript(`localStorage.setItem('sidebar-state', '${sidebar}')`);
  for (const [page, path, count] of [
    [own, '/tunnel-configuration', 5],
    [any, `/admin/tunnel?userId=${user.id}`, 5],
    [any, `/admin/users/${user.id}`, 5],
    [any, `/admin/users?q=${user.username}`, 3],
  ] as const) {
    await page.goto(path);
    const actions = page.locator('[data-row-key]').first().locator('[data-actions] button');
    await until(`the actions of ${path}`, async () => (await actions.count()) === count);
    const seen = (await page.evaluate(seenActions)) as { name: string; height: number }[];
    const tooSmall = seen.filter(({ height }) => height < (width === 390 ? 44 : 36));
    expect(tooSmall, path).toEqual([]);
    if (width === 1280) expect(await page.getByRole('table').count(), path).toBe(1);
  }
});

it('an action’s tooltip lets the pointer through to the row that it covers', async () => {
  const { client, user } = await newUser(system.url, 'premium');
  await settled(user.id, 3);
  const { page } = await open(client);
  await page.goto('/tunnel-configuration');
  await page.getByRole('button', { name: 'Löschen: srv2', exact: true }).hover();
  const tooltip = page.getByRole('tooltip');
  await tooltip.waitFor();
  const { x, y, width, height } = (await tooltip.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const isTooltip = `!!document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('[role=tooltip]')`;
  expect(await page.evaluate(isTooltip)).toBe(false);
});

it('a proxy without a tunnel is given one from its row, after a question, and is installed then', async () => {
  const { client, user } = await newUser(system.url, 'premium');
  await settled(user.id, 2);
  const { page } = await open(client);
  await page.goto('/tunnel-configuration');
  await (await inRowMenu(page, 'srv1', 'recreate')).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Abbrechen' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const tunnelOf = async (name: string) =>
    (await client.call('GET /api/tunnel-configs', {})).find(({ serverName }) => serverName === name)
      ?.cfTunnelId;
  for (const name of ['srv1', 'srv2']) {
    expect(await tunnelOf(name)).toBeNull();
    await (await inRowMenu(page, name, 'recreate')).click();
    await dialog.getByRole('button', { name: 'Tunnel neu erstellen' }).click();
    await dialog.getByRole('button', { name: 'Jetzt installieren' }).click();
    await dialog.getByRole('figure', { name: 'Ein Befehl für Ihren Server' }).waitFor();
    expect(await tunnelOf(name)).toEqual(expect.any(String));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
});
