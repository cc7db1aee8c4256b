# One image for all apps; the command names the app (docker-compose.yml).
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS locked
WORKDIR /registrar
COPY package.json package-lock.json .npmrc ./

# Optional are Node and PostgreSQL, which are the base image's and a container's of its own here.
FROM locked AS production
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' \) -delete
# npm's own --omit leaves out what production and development share (npm/cli issue 7909). Without
# the number and the time that it adds, the same packages give the same file.
RUN npm pkg delete devDependencies optionalDependencies \
 && npm sbom --sbom-type=application --sbom-format=cyclonedx \
  | node --print 'const bom = JSON.parse(fs.readFileSync(0)); delete bom.serialNumber; \
      delete bom.metadata.timestamp; JSON.stringify(bom, null, 2)' > sbom.cdx.json

FROM locked AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE_IMAGE}
# A small young generation keeps every process small (docs/operations.md, Scaling).
ENV NODE_ENV=production NODE_OPTIONS="--enable-source-maps --max-semi-space-size=4" MANAGEMENT_PORT=9090
WORKDIR /registrar
# Volumes that are mounted here belong to the user that the apps run as.
RUN install -d -o node -g node -m 700 /data /secrets /secrets/master-key /secrets/database /secrets/broker
COPY --from=production /registrar/node_modules node_modules
COPY --from=production /registrar/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY --from=build /registrar/dist/apps dist/apps
COPY --from=build /registrar/dist/libs dist/libs
USER node
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["node", "--eval", \
  "fetch(`http://localhost:${process.env.MANAGEMENT_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "dist/apps/gateway/src/main.js"]

# Last, so that a new version has new layers only where it differs.
ARG NODE_IMAGE
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="Registrar" \
      org.opencontainers.image.description="An HTTP API in front of an e-learning course-delivery server" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="${NODE_IMAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
