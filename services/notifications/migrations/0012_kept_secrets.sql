-- What nobody but its recipient may read is no longer kept where no emails are sent.
update mails set content = null
where kind not in ('test', 'notifications', 'verify_email', 'reset_password', 'proxy_invitation_link');
