import { ConfigProvider } from 'antd';
import deDE from 'antd/es/locale/de_DE';
import type { ReactNode } from 'react';
import { LanguageScope } from '../core/texts/language.ts';

/** Everything inside is German, whatever the panel's language is. */
export function GermanOnly({ children }: { readonly children: ReactNode }) {
  return (
    <LanguageScope value="de">
      <ConfigProvider locale={deDE}>
        <div lang="de">{children}</div>
      </ConfigProvider>
    </LanguageScope>
  );
}
