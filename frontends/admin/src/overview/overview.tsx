import { Columns } from '@talpa/panel-kit/ui';
import { FailingJobs } from '../system/failing-jobs.tsx';
import { Disconnected } from './disconnected.tsx';
import { LatestEvents } from './latest-events.tsx';
import styles from './overview.module.css';
import { Totals } from './totals.tsx';

/** The installation at a glance: what fails, and what happened. */
export function Overview() {
  return (
    <div className={styles.overview}>
      <Totals />
      <Columns>
        <Disconnected />
        <div className={styles.overview}>
          <FailingJobs />
          <LatestEvents />
        </div>
      </Columns>
    </div>
  );
}
