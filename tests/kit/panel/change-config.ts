import type { PanelConfig } from '@talpa/contracts/panel-config';
import type { Page } from 'playwright-core';

/** From the next load on, the page is that of an installation with other settings. The API keeps its own. */
export async function changeConfig(page: Page, changes: Partial<PanelConfig>): Promise<void> {
  await page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replace(
      /(id="panel-config">)([^<]*)/,
      (_whole, start: string, config: string) =>
        start + JSON.stringify({ ...(JSON.parse(config) as PanelConfig), ...changes }),
    );
    await route.fulfill({ response, body });
  });
}
