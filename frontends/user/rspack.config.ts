import { remoteConfig } from '@talpa/panel-kit/build';

export default remoteConfig(import.meta.dirname);
