import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './fold.module.css';
import { useFormDisabled } from './use-form-disabled.ts';

/** What only some want to read, below its title. */
export function Fold(props: {
  readonly title: string;
  readonly startsOpen?: boolean;
  /** Opens it whenever it changes. */
  readonly opensAt?: number;
  readonly children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(props.startsOpen ?? false);
  const isDisabled = useFormDisabled();
  const [opened, setOpened] = useState(props.opensAt);
  if (opened !== props.opensAt) {
    setOpened(props.opensAt);
    setOpen(true);
  }
  return (
    <details
      className={styles.fold}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary {...(isDisabled && { tabIndex: -1 })}>
        <ChevronRight size={15} aria-hidden />
        {props.title}
      </summary>
      <div>{props.children}</div>
    </details>
  );
}
