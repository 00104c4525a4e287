import { Button, Dropdown } from 'antd';
import { type ComponentRef, useRef, useState } from 'react';
import styles from './row-menu.module.css';
import type { RowMenu } from './rows.ts';

/** Opens the actions of a row that have no button of their own, each with its words. @param props.className of one with words below it, on a card */
export function MenuButton({
  action,
  className,
}: {
  readonly action: RowMenu;
  readonly className?: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<ComponentRef<typeof Button>>(null);
  const { menu, name, text, short, Icon } = action;
  const isLabelled = className !== undefined;
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      // Inside the page's landmark, as what it belongs to.
      getPopupContainer={(button) => button.closest('main') ?? document.body}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open);
        // While the menu is still there: once it is gone the focus would be lost.
        if (!open) button.current?.focus();
      }}
      autoFocus
      menu={{
        items: menu.map(({ key, text, why, Icon, disabled = false, danger = false }) => ({
          key,
          disabled,
          danger,
          icon: <Icon size={15} aria-hidden />,
          label: (
            <>
              {text}
              {why && <span className={styles.why}>{why}</span>}
            </>
          ),
        })),
        onClick: ({ key }) => {
          setOpen(false);
          // What opens now gives the focus back to the button: the menu is gone by then.
          button.current?.focus();
          menu.find((one) => one.key === key)?.onClick();
        },
      }}
    >
      <Button
        ref={button}
        type="text"
        {...(isLabelled ? { className } : { title: text })}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        icon={<Icon size={isLabelled ? 18 : 16} aria-hidden />}
      >
        {isLabelled && (short ?? text)}
      </Button>
    </Dropdown>
  );
}
