# Every image of Talpa. A process of ours: --target process --build-arg PROCESS=services/auth; a frontend:
# --target frontend --build-arg FRONTEND=shell; the operator's commands: --target operator; the load balancer of the gateways: --target load-balancer.

FROM node:24-bookworm-slim AS manifests
WORKDIR /talpa
COPY package.json package-lock.json .npmrc ./
COPY packages/access/package.json packages/access/
COPY packages/contracts/package.json packages/contracts/
COPY packages/service-kit/package.json packages/service-kit/
COPY packages/panel-kit/package.json packages/panel-kit/
COPY packages/panel-features/package.json packages/panel-features/
COPY packages/instance/package.json packages/instance/
COPY tests/kit/package.json tests/kit/
COPY gateway/package.json gateway/
COPY services/auth/package.json services/auth/
COPY services/billing/package.json services/billing/
COPY services/proxies/package.json services/proxies/
COPY services/stats/package.json services/stats/
COPY services/notifications/package.json services/notifications/
COPY services/tunnel-worker/package.json services/tunnel-worker/
COPY services/tunnel-provider/package.json services/tunnel-provider/
COPY services/edge/package.json services/edge/
COPY frontends/shell/package.json frontends/shell/
COPY frontends/user/package.json frontends/user/
COPY frontends/admin/package.json frontends/admin/

# What one process needs at run time, and no more: not the pinned Node either, the image is one.
FROM manifests AS dependencies
ARG PROCESS
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --workspace=$PROCESS --ignore-scripts --no-audit --no-fund --loglevel=error \
    && rm -rf node_modules/node-linux-* node_modules/.package-lock.json \
    && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -delete

FROM node:24-bookworm-slim AS process
ARG PROCESS
# Nothing is installed or built in here any more.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg && install -d -o node -g node -m 700 /run/talpa
COPY deploy/images/healthy deploy/images/kill-silent /usr/local/bin/
COPY --from=dependencies /talpa /talpa
COPY packages/access /talpa/packages/access
COPY packages/contracts /talpa/packages/contracts
COPY packages/service-kit /talpa/packages/service-kit
COPY ${PROCESS} /talpa/${PROCESS}
WORKDIR /talpa/${PROCESS}
ENV NODE_ENV=production SETTINGS_FOLDER=/run/talpa HEALTH_PORT=9090 METRICS_PORT=9100 METRICS_HOST=0.0.0.0
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=8s --start-period=30s --retries=3 \
    CMD kill-silent healthy 9090 /livez >/dev/null && healthy 9090 /readyz
CMD ["node", "main.ts"]

# The operator's commands need the database's own tools, of the database's own version.
FROM postgres:17 AS operator
COPY --from=node:24-bookworm-slim /usr/local/bin/node /usr/local/bin/node
COPY --from=dependencies /talpa /talpa
COPY packages/access /talpa/packages/access
COPY packages/contracts /talpa/packages/contracts
COPY packages/service-kit /talpa/packages/service-kit
COPY packages/instance /talpa/packages/instance
COPY services /talpa/services
COPY launcher /talpa/launcher
COPY operator /talpa/operator
COPY deploy/images/kill-silent /talpa/deploy/images/kill-silent
WORKDIR /talpa
# No process uses it, so npm has not linked it.
RUN ln -s ../../packages/instance node_modules/@talpa/instance
# Volumes take over whom their folder belongs to.
RUN for folder in /var/lib/talpa /backups /secrets-out/auth /secrets-out/billing /secrets-out/proxies /secrets-out/stats \
    /secrets-out/notifications /secrets-out/tunnel-worker /secrets-out/tunnel-provider /secrets-out/edge /secrets-out/gateway /secrets-out/nats /secrets-out/redis; \
    do install -d -o 1000 -g 1000 -m 700 $folder; done && install -d -o 1000 -g 1000 -m 755 /secrets-out/postgres
ENV NODE_ENV=production TALPA_HOME=/var/lib/talpa SECRETS_OUT=/secrets-out SETTINGS_FOLDER=/var/lib/talpa/operator \
    TALPA_CALL="docker compose run --rm operator" TALPA_START_CALL="docker compose up -d"
USER 1000:1000
ENTRYPOINT ["node", "/talpa/operator/talpa.ts"]
CMD []

FROM manifests AS panel-dependencies
RUN --mount=type=cache,target=/root/.npm \
    npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error

FROM panel-dependencies AS panel
COPY packages packages
COPY frontends frontends
COPY launcher/build launcher/build
COPY gateway/panel gateway/panel
ARG FRONTEND
RUN NODE_ENV=production node launcher/build/frontend.ts /talpa/frontends/$FRONTEND /panel

FROM nginx:1.26 AS frontend
COPY deploy/images/healthy deploy/images/kill-silent /usr/local/bin/
COPY deploy/images/frontend.conf /etc/nginx/nginx.conf
COPY --from=panel /panel /panel
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["kill-silent", "healthy", "8080", "/livez"]
ENTRYPOINT []
CMD ["nginx", "-g", "daemon off;"]

FROM nginx:1.26 AS load-balancer
COPY deploy/images/healthy deploy/images/kill-silent /usr/local/bin/
COPY deploy/images/load-balancer.conf /etc/nginx/nginx.conf
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=4s --start-period=10s --retries=3 CMD ["kill-silent", "healthy", "8080", "/load-balancer-livez"]
ENTRYPOINT []
CMD ["nginx", "-g", "daemon off;"]
