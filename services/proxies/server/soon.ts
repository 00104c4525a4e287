import { AppError } from '@talpa/service-kit/app-error';

const soon = async () => {
  throw new AppError('upgrade_running');
};
/** Until each is there. */
export const serverVerbs = {
  listOwnServers: soon,
  createServer: soon,
  getServer: soon,
  updateServer: soon,
  deleteServer: soon,
  getServerHealth: soon,
  listServerEvents: soon,
  getServerToken: soon,
  recreateServer: soon,
  moveProxy: soon,
};
