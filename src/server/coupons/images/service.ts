export { viewDrafts } from './draft-views.ts';
export { factsOf, readPrint } from './facts.ts';
export {
  attachImage,
  cleanUpImages,
  codeOnImage,
  codeToAttach,
  discardImages,
  discardImagesOf,
  discardUploads,
  imageOfCoupon,
  isMoreThanItsText,
  keepUploads,
  listKeptImages,
  openKept,
  openUpload,
  resealPictures,
  storeImage,
  symbolOfCoupon,
} from './images.ts';
export { imageIdOf, imageUrl } from './view.ts';
