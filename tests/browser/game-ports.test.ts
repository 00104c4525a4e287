import { useSharedBrowser } from '@talpa/test-kit/browser';
import { newUser, proxyInput } from '@talpa/test-kit/client';
import { makeMember } from '@talpa/test-kit/members';
import { wordsIn } from '@talpa/test-kit/panel/words';
import { carrySession } from '@talpa/test-kit/signed-in';
import { useSharedTalpa } from '@talpa/test-kit/system';
import { expect, it } from 'vitest';

const system = useSharedTalpa();
const browser = useSharedBrowser();
const { gamePorts: say } = wordsIn('de');

it('game ports are opened, changed and removed one by one, each dialog with its own, and a member sees them', async () => {
  const [owner, member] = [await newUser(system.url, 'premium'), await newUser(system.url, 'basic')];
  const { client } = owner;
  const { proxy } = await client.call('POST /api/tunnel-configs', proxyInput());
  await makeMember(client, proxy.id, member.client, 'view');
  const openAs = async (who: typeof client) => {
    const { page } = await browser.open(system.url);
    await carrySession(page, who);
    await page.goto(`/tunnel-configuration/${proxy.id}?tab=domains`);
    return page;
  };
  const page = await openAs(client);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = page.locator('[role=dialog]:visible');
  const port = dialog.getByLabel(say('form.targetPort'), { exact: true });
  const submit = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  const closed = () => dialog.waitFor({ state: 'hidden' });
  const stored = async () => (await client.call('GET /api/tunnel-configs/:id/ports', { id: proxy.id })).ports;

  await button(say('add')).click();
  expect(await port.inputValue()).toBe('25565');
  await port.fill('70000');
  await submit(say('add'));
  await dialog.getByText('Port muss zwischen', { exact: false }).waitFor();
  await port.fill('25570');
  await submit(say('add'));
  await closed();
  // The second form begins anew. What is protected by a password alone is offered to the present address.
  await button(say('add')).click();
  expect(await port.inputValue()).toBe('25565');
  await dialog.getByText(say('preset.rcon'), { exact: true }).click();
  await dialog.getByText(say('form.rcon'), { exact: true }).waitFor();
  expect(await port.inputValue()).toBe('25575');
  await submit(say('add'));
  await closed();
  const [game, rcon] = await stored();
  expect(game).toMatchObject({ preset: 'minecraft', targetPort: 25_570, rules: { kind: 'open' } });
  const mine = { action: 'allow', match: { by: 'address', network: '127.0.0.1' }, expiresAt: null };
  expect(rcon).toMatchObject({ preset: 'rcon', rules: { kind: 'rules', rules: [mine], otherwise: 'deny' } });

  const addressOf = (one: typeof game) => `${proxy.cfDomain}:${one?.publicPort}`;
  await button(say('edit.of', { address: addressOf(rcon) })).click();
  expect(await port.inputValue()).toBe('25575');
  await dialog.getByText(say('form.kind.open'), { exact: true }).click();
  await submit(say('edit.submit'));
  await closed();
  await button(say('edit.of', { address: addressOf(game) })).click();
  expect(await port.inputValue()).toBe('25570');
  await dialog.getByText(say('form.proxyProtocol'), { exact: true }).click();
  await submit(say('edit.submit'));
  await closed();
  expect(await stored()).toMatchObject([
    { targetPort: 25_570, proxyProtocol: true },
    { targetPort: 25_575, proxyProtocol: false, rules: { kind: 'open' } },
  ]);

  const viewer = await openAs(member.client);
  await viewer.getByText(addressOf(rcon), { exact: true }).waitFor();
  expect(await viewer.getByRole('button', { name: say('add'), exact: true }).count()).toBe(0);
  expect(
    await viewer.getByRole('button', { name: say('remove.of', { address: addressOf(game) }) }).count(),
  ).toBe(0);

  await button(say('guide.of', { address: addressOf(game) })).click();
  await dialog.getByText(`0 5 ${game?.publicPort} ${proxy.cfDomain}.`, { exact: true }).waitFor();
  await dialog.getByText(say('guide.proxy.title'), { exact: true }).waitFor();
  await submit(say('guide.close'));
  await button(say('remove.of', { address: addressOf(game) })).click();
  await dialog.getByText(addressOf(game), { exact: false }).waitFor();
  await submit(say('remove.submit'));
  await closed();
  // The live stream notifies every page.
  await viewer.getByText(addressOf(game), { exact: true }).waitFor({ state: 'hidden' });
  await button(say('remove.of', { address: addressOf(rcon) })).waitFor();
  expect(await stored()).toMatchObject([{ id: rcon?.id }]);
});
