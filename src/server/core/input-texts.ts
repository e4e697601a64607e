import { z } from 'zod';
import { zodText } from '#contract/base/input-texts.ts';

// What schemas without texts of their own say comes from the catalogue, too.
z.config({ customError: zodText });
