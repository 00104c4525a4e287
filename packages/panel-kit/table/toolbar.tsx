import { Input, type InputRef, Select } from 'antd';
import { Search, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { longestSearch } from './address.ts';
import styles from './list.module.css';

/** A choice in the toolbar. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}
/** A filter of a list: `all` is what is chosen while it is off. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly options: readonly Choice[];
}

/** Typing that has paused so long is looked for, in ms. */
const pauseMs = 300;

/** The field a list is searched with. What it holds is looked for after a pause, or at once with Enter. */
export function SearchField(props: {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}) {
  const t = useKitTexts();
  const input = useRef<InputRef>(null);
  const [text, setText] = useState(props.value);
  const [shown, setShown] = useState(props.value);
  // The address has changed by itself: back, forward, a reset.
  if (shown !== props.value) {
    setShown(props.value);
    if (text.trim() !== props.value) setText(props.value);
  }
  const search = useEffectEvent(props.onSearch);
  useEffect(() => {
    if (text.trim() === shown) return;
    const timer = setTimeout(() => search(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, shown]);
  const clear = () => {
    setText('');
    props.onSearch('');
    input.current?.focus();
  };
  return (
    <Input
      ref={input}
      className={styles.search ?? ''}
      role="searchbox"
      aria-label={props.label}
      placeholder={props.label}
      value={text}
      maxLength={longestSearch}
      prefix={<Search size={16} aria-hidden />}
      suffix={
        <button
          type="button"
          className={styles.clear}
          aria-label={t('list.search.clear')}
          hidden={text === ''}
          onClick={clear}
        >
          <X size={14} aria-hidden />
        </button>
      }
      onChange={({ target }) => setText(target.value)}
      onPressEnter={() => props.onSearch(text)}
      onKeyDown={(event) => event.key === 'Escape' && text !== '' && clear()}
    />
  );
}

/** One filter, or the order, as a choice. */
export function ToolbarSelect(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Choice[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <Select
      className={styles.choice ?? ''}
      aria-label={props.label}
      value={props.value}
      options={[...props.options]}
      popupMatchSelectWidth={false}
      onChange={props.onChange}
    />
  );
}
