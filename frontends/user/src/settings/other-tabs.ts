import { preferencesQuery } from '@talpa/panel-kit/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

const channelName = 'talpa-preferences';

/** Tells the settings in the browser's other tabs that preferences were saved. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('saved');
  channel.close();
}

/** Fetches the preferences again when another tab has saved some. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = () => void client.invalidateQueries(preferencesQuery);
    return () => channel.close();
  }, [client]);
}
