import { useHeadOf } from '@talpa/panel-kit/core';
import { Columns, Page } from '@talpa/panel-kit/ui';
import { pages } from '../pages.ts';
import { CertificatesPanel } from './certificates-panel.tsx';
import { DoctorPanel } from './doctor-panel.tsx';
import { FailingJobs } from './failing-jobs.tsx';
import { InstallationPanel } from './installation-panel.tsx';
import { ProviderPanel } from './provider-panel.tsx';

/** What an operator looks after: what runs here, what is wrong, what fails, and the certificates. */
export function SystemPage() {
  return (
    <Page {...useHeadOf(pages.system)}>
      <InstallationPanel />
      <DoctorPanel />
      <Columns>
        <ProviderPanel />
        <FailingJobs />
      </Columns>
      <CertificatesPanel />
    </Page>
  );
}
