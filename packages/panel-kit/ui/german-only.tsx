import { ConfigProvider } from 'antd';
import deDE from 'antd/es/locale/de_DE';
import type { ReactNode } from 'react';
import { LanguageScope } from '../core/texts/language.ts';

let layer: HTMLElement | null = null;

/** Where the menus and tooltips of German pages lie, outside of them, so that they are German, too. */
function germanLayer(): HTMLElement {
  if (layer) return layer;
  layer = document.createElement('div');
  layer.lang = 'de';
  return document.body.appendChild(layer);
}

/** Everything inside is German, whatever the panel's language is. */
export function GermanOnly({ children }: { readonly children: ReactNode }) {
  return (
    <LanguageScope value="de">
      <ConfigProvider locale={deDE} getPopupContainer={germanLayer}>
        <div lang="de">{children}</div>
      </ConfigProvider>
    </LanguageScope>
  );
}
