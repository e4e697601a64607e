import { useQuery } from '@tanstack/react-query';
import { locale } from '#contract/base/i18n.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { CODE_MASK } from '#contract/coupons/limits.ts';
import type { OfflineCode } from '#contract/coupons/offline-codes.ts';
import { isNetworkFailure } from '#web/lib/errors.ts';
import { localDay } from '#web/lib/local-day.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { hasOfflineCodes } from '#web/lib/viewer-storage.ts';
import type { RedeemableCoupon } from './redeem-dialog.tsx';

/** While the dialog is open the order stays as it is. */
const ONCE = { staleTime: 'static', gcTime: 0, retry: false } as const;

/**
 * The viewer's coupons whose codes can be shown one after the other: the given one, and the others of its merchant; without
 * a network those that this device keeps. No code is revealed by that.
 */
export function useTill(first: RedeemableCoupon) {
  const { id: userId } = useMember();
  const utils = trpc.useUtils();
  const asked = trpc.coupons.atTill.useQuery({ id: first.id }, ONCE);
  const offline = useQuery({
    queryKey: ['offline at till', userId, first.id],
    queryFn: async () => {
      const { offlineCodes } = await import('#web/coupons/codes/offline-codes.ts');
      return showable(await offlineCodes(userId), first.merchant);
    },
    enabled: isNetworkFailure(asked.error) && hasOfflineCodes(),
    ...ONCE,
  });
  const found: readonly RedeemableCoupon[] = asked.data ?? offline.data ?? [];
  const coupons = found.some(({ id }) => id === first.id) ? found : [first, ...found];
  /** Shows a coupon as it is now. */
  const show = (coupon: Coupon) =>
    utils.coupons.atTill.setData({ id: first.id }, (all) =>
      all?.map((each) => (each.id === coupon.id ? coupon : each)),
    );
  return { coupons, show };
}

/** What can be shown at the till of a merchant, those first that expire first. */
function showable(codes: readonly OfflineCode[], merchant: string): RedeemableCoupon[] {
  const today = localDay(new Date());
  const same = new Intl.Collator(locale(), { sensitivity: 'base', ignorePunctuation: true });
  const lastDay = ({ expiryDate }: OfflineCode) => expiryDate ?? '9999-12-31';
  return codes
    .filter((code) => same.compare(code.merchant, merchant) === 0 && lastDay(code) >= today)
    .sort((one, other) => lastDay(one).localeCompare(lastDay(other)) || one.id - other.id)
    .map(({ id, title, merchant: name, code, qrCode, barcode, version }) => ({
      id,
      title,
      merchant: name,
      qrCodeUrl: qrCode && `/api/coupons/${id}/qrcode`,
      barcodeUrl: barcode && `/api/coupons/${id}/barcode`,
      drawnQrCodeUrl: null,
      drawnBarcodeUrl: null,
      codePreview: code && CODE_MASK,
      isReserved: false,
      usedAt: null,
      updatedAt: version,
      // A device keeps no marks.
      ownerId: 0,
      reissuedAt: null,
    }));
}
