# One image for all apps; the command names the app (docker-compose.yml).
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /registrar
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=optional --no-audit --no-fund
COPY .swcrc ./
COPY apps apps
COPY libs libs
COPY benchmarks benchmarks
RUN npm run build && npm prune --omit=dev --omit=optional --no-audit --no-fund

FROM ${NODE_IMAGE}
# A small young generation keeps every process small (docs/operations.md, Scaling).
ENV NODE_ENV=production NODE_OPTIONS="--enable-source-maps --max-semi-space-size=4"
WORKDIR /registrar
COPY --from=build /registrar/package.json ./
COPY --from=build /registrar/node_modules node_modules
COPY --from=build /registrar/dist dist
USER node
CMD ["node", "dist/apps/gateway/src/main.js"]
