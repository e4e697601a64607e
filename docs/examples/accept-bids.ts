/**
 * A seller's program: it accepts every bid of at least LEAST dollars as soon as it is placed, and rejects the others.
 *
 *   npm install clipswap-client standardwebhooks
 *   MARKET=https://market.example API_KEY=clipswap_… WEBHOOK_SECRET=whsec_… LEAST=3.50 PORT=8080 npx tsx accept-bids.ts
 *
 * The key needs deals:read and deals:write. The webhook has to send bid.placed to this program's address.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { bidsById, bidsSetStatus } from 'clipswap-client';
import { client } from 'clipswap-client/client';
import { Webhook } from 'standardwebhooks';

const { MARKET = '', API_KEY = '', WEBHOOK_SECRET = '', LEAST = '0', PORT = '8080' } = process.env;
client.setConfig({ baseUrl: MARKET, auth: API_KEY });
const webhook = new Webhook(WEBHOOK_SECRET);

/** @throws when it is not signed with our secret, or is more than five minutes old */
async function readEvent(request: IncomingMessage) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return webhook.verify(Buffer.concat(chunks).toString(), Object.fromEntries(headers)) as {
    type: string;
    data: { dealId: number };
  };
}

/** A webhook may come twice: the second time, the bid is not pending any more. */
async function answerBid(id: number): Promise<void> {
  const { data: bid, error } = await bidsById({ path: { id } });
  if (!bid) throw new Error(error.error);
  if (bid.status !== 'pending') return;
  const status = Number(bid.amount) >= Number(LEAST) ? 'accepted' : 'rejected';
  const answer = await bidsSetStatus({ path: { id }, body: { status, expectedAmount: bid.amount } });
  console.log(answer.error ? answer.error.error : `Bid ${id} of ${bid.amount} is ${status}.`);
}

createServer(async (request, response) => {
  const event = await readEvent(request).catch(() => null);
  response.writeHead(event ? 204 : 401).end();
  if (event?.type === 'bid.placed') await answerBid(event.data.dealId).catch(console.error);
}).listen(Number(PORT), () => console.log(`Waiting on port ${PORT}.`));
