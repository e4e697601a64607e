import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { WAIT_MS } from '#tests/support/patience.ts';
import { press } from '#tests/support/web/acts.ts';
import { answerOf } from '#tests/support/web/builders.ts';
import { STORED, setUpCouponForm } from '#tests/support/web/coupon-form.tsx';
import { Opened } from '#tests/support/web/render.tsx';
import { type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { injectUploads } from '#tests/support/web/uploads.ts';
import { Component as CouponDialog } from './coupon-dialog.tsx';

const { server, me, field, submit, verdict, judged, fillIn, type } = setUpCouponForm();

const SHEET = `/api/images/${'s'.repeat(22)}`;
const PART = `/api/images/${'p'.repeat(22)}`;
const codeAt = (text: string, left: number) => ({
  text,
  format: 'QRCode',
  position: [
    { x: left, y: 100 },
    { x: left + 50, y: 100 },
    { x: left + 50, y: 150 },
    { x: left, y: 150 },
  ],
});

/** A browser that can draw, and keeps which part of the picture was cut. */
function stubCanvas(): ReturnType<typeof vi.fn> {
  const drawImage = vi.fn();
  vi.stubGlobal('createImageBitmap', async () => ({ width: 400, height: 300, close: () => undefined }));
  vi.stubGlobal('fetch', async () => new Response('picture'));
  const pen = { fillRect: () => undefined, drawImage };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) =>
    take(new Blob(['x'], { type: 'image/jpeg' })),
  );
  return drawImage;
}

const uploaded = (url: string) =>
  injectUploads(server, me, { status: 201, body: JSON.stringify({ url, filePath: url }) });

it('adds the codes of a sheet one after the other, each with its part of the picture', async () => {
  const drawImage = stubCanvas();
  const added: unknown[] = [];
  const intercept: Intercept = (procedure, input) => {
    if (procedure === 'images.extractCode') {
      const codes = [codeAt('SHEET-1', 40), codeAt('SHEET-2', 300)];
      const isSheet = (input as { imageUrl: string }).imageUrl === SHEET;
      const read = isSheet ? codes : codes.filter(({ text }) => text === field(/^Coupon code/).value);
      return answerOf({ codeValue: read[0]?.text, codes: read });
    }
    if (procedure === 'coupons.create') {
      added.push(input);
      return answerOf({ ...STORED, id: added.length });
    }
    return judged()(procedure, input);
  };
  const onClose = vi.fn();
  renderWithServer(
    server,
    me,
    <Opened>
      <CouponDialog onClose={onClose} />
    </Opened>,
    { intercept, hasDataRouter: true },
  );
  fillIn();
  uploaded(SHEET);
  const file = new File(['x'], 'sheet.png', { type: 'image/png' });
  fireEvent.change(screen.getByLabelText('QR code picture: file'), { target: { files: [file] } });
  fireEvent.click(await screen.findByLabelText(/^Each code is a separate coupon/));
  uploaded(PART);

  const addNext = async (text: string) => {
    fireEvent.click(await screen.findByRole('button', { name: `Use this code: ${text}` }));
    // The part of the picture is still being cut.
    expect(screen.getByRole('button', { name: 'Add coupon' })).toHaveProperty('disabled', true);
    await vi.waitFor(
      () => expect(screen.getByRole('img', { name: /^Uploaded/ }).getAttribute('src')).toBe(PART),
      WAIT_MS,
    );
    submit('Validate');
    await verdict();
    submit('Add coupon');
  };
  await addNext('SHEET-1');
  await screen.findByText(/^1 more code in this picture/);
  press('Close');
  await screen.findByText('1 code from the picture is not in a coupon yet.');
  fireEvent.click(screen.getByText('Keep editing'));
  expect(onClose).not.toHaveBeenCalled();
  // What coupons of one sheet share is there already.
  expect([/^Title/, /^Merchant/, /^Value/].map((label) => field(label).value)).toEqual(['', 'Shear Joy', '']);
  type(/^Title/, 'Five off a haircut');
  type(/^Value/, '5');
  type(/^Description/, 'Any cut on Mondays');
  await addNext('SHEET-2');
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), WAIT_MS);
  expect(added).toMatchObject([
    { codeValue: 'SHEET-1', qrCodeUrl: PART },
    { codeValue: 'SHEET-2', qrCodeUrl: PART, merchant: 'Shear Joy' },
  ]);
  const cuts = drawImage.mock.calls.filter((call) => call.length === 9);
  expect(cuts.map(([, x, y, width, height]) => [x, y, width, height])).toEqual([
    [34, 94, 62, 62],
    [294, 94, 62, 62],
  ]);
});

it('lists a coupon once that is sent again after a lost answer; the same put in again is another', async () => {
  const listed = async () =>
    (await server.ctx.db.selectFrom('coupons').select('id').where('ownerId', '=', me.id).execute()).length;
  let isLost = true;
  const intercept: Intercept = (procedure, input) => {
    if (procedure !== 'coupons.create' || !isLost) return undefined;
    isLost = false;
    const call = { method: 'POST', url: '/api/trpc/coupons.create', body: JSON.stringify(input) } as const;
    return server.call(me, call).then(({ statusCode }) => {
      expect(statusCode).toBe(200);
      throw new TypeError('Failed to fetch');
    });
  };
  const onClose = vi.fn();
  renderWithServer(
    server,
    me,
    <Opened>
      <CouponDialog onClose={onClose} />
    </Opened>,
    { intercept, hasDataRouter: true },
  );
  fillIn();
  submit('Add coupon');
  await screen.findByText(/^Network error/);
  expect(await listed()).toBe(1);
  submit('Add coupon');
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), WAIT_MS);
  expect(await listed()).toBe(1);
  // In this test the dialog stays open, and filled in.
  submit('Add coupon');
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(2), WAIT_MS);
  expect(await listed()).toBe(2);
});

it('says that a moderator looks at the coupon first, where codes of its merchant are guessed', async () => {
  const waiting = { ...STORED, title: 'Cheap latte', isActive: false, isWaiting: true };
  const intercept: Intercept = (procedure) =>
    procedure === 'coupons.create' ? answerOf(waiting) : undefined;
  renderWithServer(
    server,
    me,
    <Opened>
      <CouponDialog onClose={vi.fn()} />
    </Opened>,
    { intercept, hasDataRouter: true },
  );
  fillIn();
  submit('Add coupon');
  await screen.findByText('A moderator will check “Cheap latte” before others can see it.');
});
