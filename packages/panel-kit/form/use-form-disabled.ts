import { ConfigProvider } from 'antd';

/** Whether the form around takes nothing now, as while it is sent: what antd does not know must follow. */
export const useFormDisabled = (): boolean => ConfigProvider.useConfig().componentDisabled ?? false;
