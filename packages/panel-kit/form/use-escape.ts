import { useEffect, useEffectEvent } from 'react';

/** What each open dialog does on Escape; the last one lies on top. */
const layers: (() => void)[] = [];

const lists = '.ant-select-dropdown, .ant-picker-dropdown, .ant-dropdown';
const isClosed = (list: Element) => /-leave\b|-hidden\b/.test(list.className);
let isListOpen = false;

/** Before anything else handles the key: a list that it closes is closed afterwards. */
const trackLists = ({ key }: KeyboardEvent) => {
  if (key === 'Escape') isListOpen = [...document.querySelectorAll(lists)].some((list) => !isClosed(list));
};

/** 229: Safari marks the key that ends a composition in no other way. */
const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;

const closeTop = (event: KeyboardEvent) => {
  if (event.key !== 'Escape' || event.repeat || event.defaultPrevented) return;
  if (!isListOpen && !isComposing(event)) layers.at(-1)?.();
};

/**
 * Passes Escape to the topmost open dialog, unless an open list or an input method takes the key. antd tracks its dialogs
 * while it renders: one that React renders and throws away stays on top there, and the key is dead.
 */
export function useEscape(open: boolean, onEscape: () => void): void {
  const close = useEffectEvent(onEscape);
  useEffect(() => {
    if (!open) return;
    const layer = () => close();
    layers.push(layer);
    if (layers.length === 1) {
      window.addEventListener('keydown', trackLists, { capture: true });
      window.addEventListener('keydown', closeTop);
    }
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length > 0) return;
      window.removeEventListener('keydown', trackLists, { capture: true });
      window.removeEventListener('keydown', closeTop);
    };
  }, [open]);
}
