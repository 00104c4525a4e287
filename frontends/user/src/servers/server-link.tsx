import { serverQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { Awaited } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { serverPath } from './server-path.ts';

/** Leads to the server that a proxy runs on; nothing until its name is there. */
export function ServerLink({ id }: { readonly id: number }) {
  const { data, isLoading } = useQuery(serverQuery(id));
  if (isLoading) return <Awaited />;
  return data && <Link to={serverPath(id)}>{data.name}</Link>;
}
