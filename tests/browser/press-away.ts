import { until } from '@talpa/test-kit/wait';
import type { Locator } from 'playwright-core';

/** Presses a button that is gone once its click has counted: while a page still loads, a click may be lost. */
export async function pressAway(button: Locator): Promise<void> {
  await until('the button to be gone', async () => {
    await button.click({ timeout: 2_000 }).catch(() => {});
    return button.isHidden();
  });
}
