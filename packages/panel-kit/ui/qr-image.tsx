import { QRCode } from 'antd';

/** Dark on light in either theme: cameras expect it. */
export function QrImage({ text, size }: { readonly text: string; readonly size: number }) {
  return <QRCode value={text} type="svg" size={size} bordered={false} color="black" bgColor="white" />;
}
