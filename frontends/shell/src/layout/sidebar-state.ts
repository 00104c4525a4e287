import { readStored, store } from '@talpa/panel-kit/core';
import { useSyncExternalStore } from 'react';

export type SidebarState = 'collapsed' | 'expanded';
/** Dispatched on the window when the sidebar changes. */
const eventName = 'sidebar-state';

const stored = (): SidebarState => (readStored('sidebar-state') === 'expanded' ? 'expanded' : 'collapsed');

/** Collapses or expands the sidebar, stores it and broadcasts it. */
export function setSidebarState(state: SidebarState): void {
  store('sidebar-state', state);
  window.dispatchEvent(new CustomEvent(eventName, { detail: state }));
}

function subscribe(changed: () => void): () => void {
  window.addEventListener(eventName, changed);
  // The same user's other tabs.
  window.addEventListener('storage', changed);
  return () => {
    window.removeEventListener(eventName, changed);
    window.removeEventListener('storage', changed);
  };
}

/** The sidebar as it is now; collapsed when nothing is stored. */
export function useSidebarState(): SidebarState {
  return useSyncExternalStore(subscribe, stored);
}
