import { useQuery } from '@tanstack/react-query';
import type { ImageKind } from '#contract/coupons/images.ts';
import { CODE_MASK } from '#contract/coupons/limits.ts';
import type { OfflineCode } from '#contract/coupons/offline-codes.ts';
import { localDay } from '#web/lib/local-day.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { hasOfflineCodes } from '#web/lib/viewer-storage.ts';
import type { RedeemableCoupon } from './redeem-dialog.tsx';

/** A coupon as this device knows it from its code. */
export interface KeptCoupon extends RedeemableCoupon, Pick<OfflineCode, 'expiryDate'> {}

/** The viewer's coupons whose codes this device keeps, once they are wanted: those first that expire first. No code is revealed by that. */
export function useKeptCoupons(isWanted: boolean): readonly KeptCoupon[] {
  const { id: userId } = useMember();
  const { data } = useQuery({
    queryKey: ['kept coupons', userId],
    queryFn: async () => {
      const { offlineCodes } = await import('#web/coupons/codes/offline-codes.ts');
      return showable(await offlineCodes(userId));
    },
    enabled: isWanted && hasOfflineCodes(),
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  return data ?? [];
}

function showable(codes: readonly OfflineCode[]): KeptCoupon[] {
  const today = localDay(new Date());
  const lastDay = ({ expiryDate }: Pick<OfflineCode, 'expiryDate'>) => expiryDate ?? '9999-12-31';
  return codes
    .filter((code) => lastDay(code) >= today)
    .sort((one, other) => lastDay(one).localeCompare(lastDay(other)) || one.id - other.id)
    .map(({ id, title, merchant, expiryDate, code, qrCode, barcode, drawn, version }) => {
      const pictures = { qrcode: qrCode, barcode };
      const urlOf = (kind: ImageKind, isDrawn: boolean) =>
        pictures[kind] && drawn.includes(kind) === isDrawn ? `/api/coupons/${id}/${kind}` : null;
      return {
        id,
        title,
        merchant,
        expiryDate,
        qrCodeUrl: urlOf('qrcode', false),
        barcodeUrl: urlOf('barcode', false),
        drawnQrCodeUrl: urlOf('qrcode', true),
        drawnBarcodeUrl: urlOf('barcode', true),
        codePreview: code && CODE_MASK,
        isReserved: false,
        usedAt: null,
        updatedAt: version,
        // A device keeps no marks.
        ownerId: 0,
        reissuedAt: null,
      };
    });
}
