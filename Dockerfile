# One image for all apps; the command names the app (docker-compose.yml).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# The package.json of every workspace, so that a change of the sources installs nothing again.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /registrar
COPY . .
RUN find apps libs -type f ! -name package.json -delete && find . -type d -empty -delete \
 && rm -r nx.json tsconfig.base.json .swcrc LICENSE docs

FROM ${NODE_IMAGE} AS production
WORKDIR /registrar
COPY --from=manifests /registrar ./
# Optional are Node and PostgreSQL, which are the base image's and a container's of its own here.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && find . -path '*/node_modules/*' -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' \) -delete
# npm's own --omit leaves out what production and development share (npm/cli issue 7909), and names
# a workspace for its folder. Without the number and the time that it adds, the same packages give
# the same file.
RUN npm pkg delete devDependencies optionalDependencies --workspaces --include-workspace-root >/dev/null \
 && npm sbom --sbom-type=application --sbom-format=cyclonedx \
  | node --print 'const bom = JSON.parse(fs.readFileSync(0)); delete bom.serialNumber; \
      delete bom.metadata.timestamp; \
      for (const part of bom.components) if (!part.hashes?.length) part.name = `@registrar/${part.name}`; \
      JSON.stringify(bom, null, 2)' > sbom.cdx.json \
 && rm package-lock.json .npmrc

FROM ${NODE_IMAGE} AS build
WORKDIR /registrar
COPY --from=manifests /registrar ./
# The tools of the root, and what the console's client is built from.
RUN npm ci --include-workspace-root --workspace=@registrar/console --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build \
 && find apps libs -type f ! -path '*/dist/*' ! -path 'libs/sample-courses/courses/*' -delete \
 && find apps libs -type d -empty -delete

FROM ${NODE_IMAGE}
# A small young generation keeps every process small (docs/operations.md, Scaling).
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 MANAGEMENT_PORT=9090
WORKDIR /registrar
# Volumes that are mounted here belong to the user that the apps run as.
RUN install -d -o node -g node -m 700 /data /secrets /secrets/master-key /secrets/launch-key /secrets/database \
  /secrets/broker /secrets/gateway /secrets/identity /secrets/catalog /secrets/enrolment /secrets/crawler \
  /secrets/provider /secrets/console /secrets/operator /secrets/own /secrets/ca
COPY --from=production /registrar ./
COPY LICENSE ./
# The gateway serves the guides.
COPY docs docs
COPY --from=build /registrar/apps apps
COPY --from=build /registrar/libs libs
USER node
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["node", "--eval", \
  "fetch(`http://localhost:${process.env.MANAGEMENT_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "apps/gateway/dist/main.js"]

# Last, so that a new version has new layers only where it differs.
ARG NODE_IMAGE
ARG VERSION=
ARG REVISION=
# A release names its base image by digest (docs/releasing.md, Images by digest).
RUN case "${VERSION:+$NODE_IMAGE}" in ''|*@sha256:*) ;; *) echo "NODE_IMAGE has no digest: $NODE_IMAGE"; exit 1;; esac
# For the metric registrar_build_info.
ENV REGISTRAR_REVISION=${REVISION}
LABEL org.opencontainers.image.title="Registrar" \
      org.opencontainers.image.description="An HTTP API in front of an e-learning course-delivery server" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="${NODE_IMAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
