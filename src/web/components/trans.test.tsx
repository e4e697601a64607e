import { Trans } from '@lingui/react/macro';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

test('a text shows its elements, and what people wrote as they wrote it', () => {
  const name = '<0>A</0> <b>B</b>';
  const { container } = render(
    <Trans>
      Hello, <i>dear</i> {name}
    </Trans>,
  );
  expect(container.innerHTML).toBe('Hello, <i>dear</i> &lt;0&gt;A&lt;/0&gt; &lt;b&gt;B&lt;/b&gt;');
});
