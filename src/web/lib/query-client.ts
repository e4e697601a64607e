import { QueryClient } from '@tanstack/react-query';

const FRESH_MS = 60_000;
const RETRY_DELAY_MS = 1_000;

/** The product's way with requests (spec/1 section 1): fresh for a minute, one retry of reads, none of writes. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: 1,
        retryDelay: RETRY_DELAY_MS,
        refetchOnWindowFocus: true,
        refetchOnMount: true,
        refetchOnReconnect: true,
      },
      mutations: { retry: false },
    },
  });
}
