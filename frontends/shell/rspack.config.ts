import { shellConfig } from '@talpa/panel-kit/build';

export default shellConfig(import.meta.dirname);
