import type { Operation } from './api/operation.ts';
import { listCertificates } from './certificates/list.ts';
import { orderNow } from './certificates/order-now.ts';
import { batchRecords } from './dns/batch.ts';
import { createRecord } from './dns/create.ts';
import { deleteRecord } from './dns/delete.ts';
import { editRecord } from './dns/edit.ts';
import { getRecord } from './dns/get.ts';
import { listRecords } from './dns/list.ts';
import { replaceRecord } from './dns/replace.ts';
import { getConfiguration, putConfiguration } from './tunnels/configurations.ts';
import { dropConnections, listConnections } from './tunnels/connections.ts';
import { createTunnel } from './tunnels/create.ts';
import { deleteTunnel } from './tunnels/delete.ts';
import { editTunnel } from './tunnels/edit.ts';
import { getTunnel } from './tunnels/get.ts';
import { getToken } from './tunnels/get-token.ts';
import { listTunnels } from './tunnels/list.ts';

const tunnels = '/accounts/:accountId/cfd_tunnel';
const records = '/zones/:zoneId/dns_records';
const certificates = '/zones/:zoneId/certificates';

/** Every call of the API, by method and path below `/client/v4`. */
export const operations: Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Operation>
> = {
  [`POST ${tunnels}`]: createTunnel,
  [`GET ${tunnels}`]: listTunnels,
  [`GET ${tunnels}/:tunnelId`]: getTunnel,
  [`PATCH ${tunnels}/:tunnelId`]: editTunnel,
  [`DELETE ${tunnels}/:tunnelId`]: deleteTunnel,
  [`PUT ${tunnels}/:tunnelId/configurations`]: putConfiguration,
  [`GET ${tunnels}/:tunnelId/configurations`]: getConfiguration,
  [`GET ${tunnels}/:tunnelId/token`]: getToken,
  [`GET ${tunnels}/:tunnelId/connections`]: listConnections,
  [`DELETE ${tunnels}/:tunnelId/connections`]: dropConnections,
  [`POST ${records}`]: createRecord,
  [`GET ${records}`]: listRecords,
  [`GET ${records}/:recordId`]: getRecord,
  [`PUT ${records}/:recordId`]: replaceRecord,
  [`PATCH ${records}/:recordId`]: editRecord,
  [`DELETE ${records}/:recordId`]: deleteRecord,
  [`POST ${records}/batch`]: batchRecords,
  // Not Cloudflare's: there it has the certificates.
  [`GET ${certificates}`]: listCertificates,
  [`POST ${certificates}/order`]: orderNow,
};
