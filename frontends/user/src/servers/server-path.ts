import { pages } from '../pages.ts';

/** The address of a server's page. */
export const serverPath = (serverId: number) => pages.server.path.replace(':id', String(serverId));
