import { until } from '@talpa/test-kit/wait';
import type { Errand } from './errands.ts';
import { asking, pageWords } from './tab.ts';
import { tabNow, type World } from './world.ts';

/** How an errand is run. */
export type Perform = (world: World, errand: Errand) => Promise<void>;

/** An errand's page and words, and how it works in dialogs. */
export function deskOf(world: World) {
  const { tab } = tabNow(world);
  const words = pageWords(world.model);
  const { page, dialog } = tab;
  const onPage = (name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).filter({ visible: true }).first();
  const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  return {
    ...{ page, dialog, words, field, account: world.model.account },
    open: async (opener: string) => {
      await onPage(opener).click();
      await dialog.waitFor();
    },
    press: (name: string) => inDialog(name).click(),
    isClosed: () => dialog.waitFor({ state: 'hidden' }),
    /** Leaves the dialog, dropping what was typed. */
    leave: async (asks: boolean) => {
      await page.keyboard.press('Escape');
      if (asks) await asking(words, tab.dialogs.last()).leave.click();
      await dialog.waitFor({ state: 'hidden' });
    },
    /** The field shows this: that of the record, or nothing. */
    shows: async (label: string, wanted: string) => {
      await until(`the field “${label}”`, async () => (await field(label).inputValue()) === wanted);
    },
    /** The dialog is about this one of them and no other, and holds no secret that was shown before. */
    isAbout: async (name: string | null, all: readonly string[]) => {
      const text = (await dialog.textContent()) ?? '';
      if (name !== null && !text.includes(name))
        throw new Error(`the dialog does not name “${name}”: ${text}`);
      const others = all.filter((one) => one !== name && text.includes(one));
      if (others.length > 0) throw new Error(`the dialog names ${others.join(', ')}: ${text}`);
      refuseSecrets(world, text);
    },
  };
}

export function refuseSecrets({ secrets }: World, text: string): void {
  const plain = text.replace(/\s/g, '');
  const found = [...secrets].find((secret) => plain.includes(secret.replace(/\s/g, '')));
  if (found) throw new Error(`a former secret is shown: ${found}`);
}

/** Opens a dialog with a name's field; twice if wanted, with something typed and dropped in between. */
export async function openNamed(
  world: World,
  { twice }: Errand,
  given: { opener: string; label: string; wanted: string; asks: boolean; all: readonly string[] },
) {
  const desk = deskOf(world);
  const { opener, label, wanted, asks, all } = given;
  for (const isHalf of twice ? [true, false] : [false]) {
    await desk.open(opener);
    await desk.shows(label, wanted);
    await desk.isAbout(null, all);
    if (!isHalf) break;
    await desk.field(label).fill('halb');
    await desk.leave(asks);
  }
  return desk;
}
