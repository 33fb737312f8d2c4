# One image for every role: the command names it, as in `docker run tracklog services/api/main.ts`.
# Stage 1 installs what runs in production, without optional packages (explorers, the embedded ClickHouse engine) and
# without install scripts. The package `node` is the Node of development machines; the base image brings its own. Two
# thirds of OpenTelemetry are builds for bundlers, and files for compilers and debuggers.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/.bin node_modules/.package-lock.json \
  && find node_modules/@opentelemetry -type d \( -name esm -o -name esnext \) -prune -exec rm -rf {} + \
  && find node_modules/@opentelemetry -type f \( -name "*.map" -o -name "*.d.ts" \) -delete
COPY schemas schemas
COPY projections projections
COPY services services
COPY LICENSE ./

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="tracklog" org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=build /app /app
# A new volume that is mounted here takes over this owner. Without a volume the folders are not writable on a read-only
# root file system, and the API ends at once instead of losing its media later.
RUN install -d -o 10001 -g 10001 /var/lib/tracklog/media /var/lib/tracklog/secrets
# A number, because Kubernetes cannot see that a name is not root.
USER 10001:10001
ENV NODE_ENV=production OPS_HOST=0.0.0.0 OPS_PORT=9400 MEDIA_DIR=/var/lib/tracklog/media
EXPOSE 4000 8080 9400
# Readiness, because a process that waits for a container waits for its work. Kubernetes ignores it and probes by itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPS_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
ENTRYPOINT ["node"]
CMD ["services/api/main.ts"]
