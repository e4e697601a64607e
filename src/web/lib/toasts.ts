import { notifications } from '@mantine/notifications';

type Tone = 'success' | 'failure' | 'neutral';

const COLORS: Record<Tone, string> = { success: 'teal', failure: 'red', neutral: 'gray' };

/** Shows a toast for five seconds and removes the one before (spec/1 section 1). */
function toast(tone: Tone, title: string, message?: React.ReactNode): void {
  notifications.clean();
  notifications.show({
    title,
    message: message ?? '',
    color: COLORS[tone],
    role: tone === 'failure' ? 'alert' : 'status',
  });
}

export const toasts = {
  success: (title: string, message?: React.ReactNode) => toast('success', title, message),
  failure: (title: string, message?: React.ReactNode) => toast('failure', title, message),
  neutral: (title: string, message?: React.ReactNode) => toast('neutral', title, message),
};
