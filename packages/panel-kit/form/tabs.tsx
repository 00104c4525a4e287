import { Tabs as AntdTabs, type TabsProps } from 'antd';
import { Ellipsis } from 'lucide-react';
import { useKitTexts } from '../core/texts/kit-texts.ts';

/** antd's tabs; it names the menu of those that have no room in English alone. */
export function Tabs(props: TabsProps) {
  const t = useKitTexts();
  const name = t('tabs.more');
  return (
    <AntdTabs
      more={{ icon: <Ellipsis size={16} role="img" aria-label={name} /> }}
      locale={{ dropdownAriaLabel: name }}
      {...props}
    />
  );
}
