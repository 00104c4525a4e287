import { Skeleton as AntSkeleton, type SkeletonProps } from 'antd';

/** Lines where a text will be. antd's own first line is a heading without words, which a screen reader announces. */
export function Skeleton(props: SkeletonProps) {
  return <AntSkeleton title={false} {...props} />;
}
