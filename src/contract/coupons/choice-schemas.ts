import { z } from 'zod';
import { CATEGORIES, DISCOUNT_TYPES, STORED_CATEGORIES, TRANSFERABLE } from './choices.ts';

/** The schemas of the choices, apart from them, since every page loads those. */

export const categorySchema = z.enum(CATEGORIES).meta({ id: 'Category' });

export const storedCategorySchema = z.enum(STORED_CATEGORIES).meta({ id: 'StoredCategory' });

export const discountTypeSchema = z.enum(DISCOUNT_TYPES).meta({ id: 'DiscountType' });

export const transferableSchema = z
  .enum(TRANSFERABLE)
  .describe('Whether the merchant accepts it from someone other than the person it was issued to')
  .meta({ id: 'Transferable' });
