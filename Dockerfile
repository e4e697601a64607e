# The product in one image. What is built is the same for every kind of machine, so it is built on the builder's own.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build

# The packages that run have native parts: they are installed for the machine of the image. Those that the bundles in dist
# hold are left out.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm uninstall --package-lock-only @mantine/core @mantine/form @mantine/hooks @mantine/notifications \
  @paypal/react-paypal-js @stripe/react-stripe-js @tanstack/react-query @trpc/client @trpc/react-query @trpc/server aws4fetch \
  bowser cockatiel ipaddr.js kysely lucia react react-dom react-router-dom zod
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG SOURCE=""
LABEL org.opencontainers.image.title="ClipSwap" \
  org.opencontainers.image.description="The marketplace where people swap the discount coupons they will not use." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
# A named volume that is mounted here starts with this owner (FILES_DIR in compose.yaml).
RUN install --directory --owner=1000 --group=1000 --mode=0700 /var/lib/clipswap
COPY --from=packages --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/dist ./dist
COPY --from=build --chown=node:node /app/db ./db
# By its number: Kubernetes can then see that it is not root.
USER 1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# As in `npm start`: scripts/programs/start.ts explains the option.
CMD ["node", "--max-semi-space-size=8", "dist/server/start.js"]
