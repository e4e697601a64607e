# The product in one image: build with the development packages, run without them.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# A named volume that is mounted here starts with this owner (FILES_DIR in compose.yaml).
RUN install --directory --owner=node --group=node --mode=0700 /var/lib/clipswap
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/lingui.config.ts ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
COPY --from=build --chown=node:node /app/db ./db
COPY --from=build --chown=node:node /app/scripts ./scripts
COPY --from=build --chown=node:node /app/src/contract ./src/contract
COPY --from=build --chown=node:node /app/src/locales ./src/locales
COPY --from=build --chown=node:node /app/src/sandbox ./src/sandbox
COPY --from=build --chown=node:node /app/src/server ./src/server
# The icon of wallet passes.
COPY --from=build --chown=node:node /app/src/web/public/favicon.svg ./src/web/public/
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# As in `npm start`: scripts/start.ts explains the option.
CMD ["node", "--max-semi-space-size=8", "dist/server/start.js"]
