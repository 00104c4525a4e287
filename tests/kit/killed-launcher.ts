/** Starts the stores of the home named by its argument and waits to be killed. */
import { claimHome } from '@talpa/instance/home';
import { homeFolders } from '@talpa/instance/paths';
import { readSecrets } from '@talpa/instance/secrets';
import { startStores } from '../../launcher/stores/stores.ts';

const folders = homeFolders(process.argv[2] ?? '');
await claimHome(folders, () => {});
await startStores(folders, readSecrets(folders.secrets), { fast: true }, () => {}, []);
console.log('running');
setInterval(() => {}, 1_000_000);
