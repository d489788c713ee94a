# The build service: docker build -t quickback . && docker run -p 8789:8789 -e SERVICE_API_KEY=… quickback
# The same image runs the other processes: docker run … quickback run --cached-only --unstable-no-legacy-abort -A edge/router_main.ts
# Two builds are equal byte for byte with one time for all files: docs/deploy.md
ARG DENO_IMAGE=denoland/deno:2.9.6

# Dependencies exactly as deno.lock has them: those of the service, and those that the outputs it bundles import.
FROM ${DENO_IMAGE} AS build
# Of the packages in deno.lock those are fetched, and asked for at the start, that something imports.
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 DENO_UNSTABLE_NPM_LAZY_CACHING=1
WORKDIR /app
COPY deno.json deno.lock ./
COPY shared shared
COPY library library
COPY edge edge
COPY container container
COPY generated-templates generated-templates
COPY examples examples
RUN deno install --frozen --entrypoint container/main.ts container/compile_worker.ts \
    container/bundle_worker.ts container/warm_up_worker.ts container/service_main.ts edge/main.ts \
    edge/router_main.ts library/platform/mod.ts library/platform/cloudflare/mod.ts library/client/mod.ts shared/accounts/mod.ts \
    shared/authoring/mod.ts shared/runtime/mod.ts
# Nothing can be written to /app later.
RUN deno run --cached-only --frozen -A container/built_runtime.ts
# What one build has and the next has not: orders of arrival, the registry's news, the modes of a checkout.
RUN rm -rf /deno-dir/*_cache_v2* \
  && find /deno-dir -name registry.json -delete \
  && chmod -R u=rwX,go=rX /app /deno-dir \
  && mkdir /data

FROM ${DENO_IMAGE}
ENV DENO_DIR=/deno-dir DENO_NO_UPDATE_CHECK=1 DENO_UNSTABLE_NPM_LAZY_CACHING=1 NO_COLOR=1 PORT=8789
# What threads gave back goes to the system, and is not kept for later ones (docs/deploy.md, "Memory").
ENV MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /deno-dir /deno-dir
COPY --from=build /app /app
COPY --from=build --chown=deno:deno /data /data
USER deno
VOLUME /data
EXPOSE 8789
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["deno", "eval", "const r = await fetch(`http://127.0.0.1:${Deno.env.get('PORT')}/health`); if (!r.ok) Deno.exit(1);"]
STOPSIGNAL SIGTERM
CMD ["run", "--v8-flags=--max-semi-space-size=8,--heap-growing-percent=20", "--cached-only", "--unstable-no-legacy-abort", "-A", "container/main.ts"]
