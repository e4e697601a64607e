/** The coupon that the examples make an offer for. */
export const EXAMPLE_COUPON_ID = 12;

/**
 * The complete examples for programs, on the page and in the tests that run them.
 * @param origin of the market: 'https://…'
 * @returns `curl`: commands of a shell that has the key in CLIPSWAP_KEY; `client`: a program in TypeScript; `assistant`: the
 *   configuration of an MCP client, in JSON
 */
export function programExamples(origin: string) {
  const key = `-H "Authorization: Bearer $CLIPSWAP_KEY"`;
  return {
    curl: `# Whose key it is, and what it may do
curl ${key} '${origin}/api/user/key'

# Coupons for coffee, the ones that expire first at the top
curl ${key} '${origin}/api/coupons?search=coffee&sort=expiry&limit=5'

# An offer of 3.50 for coupon ${EXAMPLE_COUPON_ID}; repeated, it is still one offer
curl ${key} -H 'Idempotency-Key: offer-for-${EXAMPLE_COUPON_ID}' \\
  --json '{"couponId":${EXAMPLE_COUPON_ID},"amount":"3.50"}' '${origin}/api/bids'`,

    client: `import { couponsList } from 'clipswap-client';
import { client } from 'clipswap-client/client';

client.setConfig({ baseUrl: '${origin}', auth: process.env.CLIPSWAP_KEY ?? '' });
const { data, error } = await couponsList({ query: { search: 'coffee', sort: 'expiry', limit: 5 } });
if (error) throw new Error(error.error);
for (const { id, title, merchant } of data) console.log(id, title, merchant);`,

    assistant: JSON.stringify(
      {
        mcpServers: {
          market: {
            type: 'http',
            url: `${origin}/mcp`,
            headers: { Authorization: 'Bearer $' + '{CLIPSWAP_KEY}' },
          },
        },
      },
      null,
      2,
    ),
  };
}
